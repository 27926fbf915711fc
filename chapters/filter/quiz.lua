-- quiz.lua - the book's side of a chapter's quiz, chapters/quiz/NN-slug.tsv: that its questions have
-- answers, and which exercises they vary. grader/quiz.h explains the file; `grade quiz` asks it.

local quiz = {}

local evidence = require 'evidence'

-- The first and the last value that each name of `vary` can have: two tables from name to value.
local function extremes(vary)
  local first, last = {}, {}
  for name, values in vary:gmatch('([^%s=]+)=(%S+)') do
    local from, to = values:match('^(%d+)%.%.(%d+)')
    first[name] = from or values:match('^[^|]*')
    last[name] = to or values:match('[^|]*$')
  end
  return first, last
end

-- The questions of a chapter, {name, vary, run, get}, by name; nil when it has no quiz.
function quiz.read(chapter)
  local path = ('chapters/quiz/%s.tsv'):format(chapter)
  if not evidence.read(path) then return nil end
  local questions = {}
  for _, question in ipairs(evidence.rows(path)) do questions[question.quiz] = question end
  return questions
end

-- Runs a question with the least and the greatest of its numbers; report(name, message) says what
-- fails.
function quiz.check(questions, report)
  for name, question in pairs(questions) do
    local first, last = extremes(question.vary)
    for _, values in ipairs({first, last}) do
      local function fill(text) return (text:gsub('{(%w+)}', values)) end
      local value, err = evidence.value('sim.' .. fill(question.get), {command = fill(question.run)})
      if value == nil then report(name, err) break end
    end
  end
end

return quiz
