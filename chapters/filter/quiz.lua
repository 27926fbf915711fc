-- quiz.lua - the book's side of a chapter's quiz, chapters/quiz/NN-slug.tsv: that its questions have
-- answers, and which exercises they vary. grader/quiz.h explains the file; `grade quiz` asks it.

local quiz = {}

local evidence = require 'evidence'

local function cells(line)
  local result = {}
  for cell in (line .. '\t'):gmatch('([^\t]*)\t') do result[#result + 1] = cell ~= '-' and cell or '' end
  return result
end

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
  local text = evidence.read(('chapters/quiz/%s.tsv'):format(chapter))
  if not text then return nil end
  local columns, questions = nil, {}
  for line in text:gmatch('[^\r\n]+') do
    if line:sub(1, 1) == '#' then -- a comment
    elseif not columns then
      columns = cells(line)
    else
      local question = {}
      for i, cell in ipairs(cells(line)) do question[columns[i] or 'rest'] = cell end
      questions[question.quiz] = question
    end
  end
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
