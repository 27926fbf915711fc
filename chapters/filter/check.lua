-- check.lua - what no single page can see: labels that nothing refers to, code and figures that no
-- chapter shows, claims without an exhibit. pandoc runs it as a filter, for its Lua, once all pages
-- are made.
--
-- While `complete` in the head of chapters/index.md is false, what still lacks its
-- place is counted; once it is true, it stops the build.

package.path = 'chapters/filter/?.lua;' .. package.path
local labels, appendix = require 'labels', require 'appendix'
local build = os.getenv('BUILD') or 'build'
local notes = ('%s/book-cache/%s/'):format(build, os.getenv('EDITION') or 'book')

local problems, missing = {}, {}
local function problem(text, ...) problems[#problems + 1] = text:format(...) end

local function list(pattern)
  local files = pandoc.pipe('sh', {'-c', 'ls ' .. pattern .. ' 2>/dev/null || true'}, '')
  return files:gmatch('[^\n]+')
end

-- What the pages used: ids, figures and files.
local function read_uses(chapters)
  local used = {}
  for _, chapter in ipairs(chapters) do
    for line in io.lines(notes .. chapter.name .. '.uses') do used[line] = true end
  end
  return used
end

local function lacks(text, ...) missing[#missing + 1] = text:format(...) end

local function find_missing(all, used)
  for id, label in pairs(all) do
    local kind = labels.kind(id)
    if (kind == 'fig' or kind == 'tbl' or kind == 'lst') and not used[id] then
      lacks('chapters/%s: nothing refers to %s: say @%s where the text is about it',
            label.page:gsub('%.html$', '.md'), id, id)
    end
  end
  for path in list('chapters/code/*') do
    if not used[path] then lacks('%s: no chapter shows or runs it', path) end
  end
  for path in list('plots/*.gp') do
    local name = path:match('([^/]*)%.gp$')
    if name ~= 'style' and not used['figure ' .. name] then
      lacks('%s: no chapter shows this figure', path)
    end
  end
  for _, claim in ipairs(appendix.claims()) do
    if not all['claim:' .. claim.id] then
      lacks('chapters/claims.tsv: claim %s has no exhibit: %s', claim.id, claim.claim)
    end
  end
  for use in pairs(used) do
    local term = use:match('^term (.*)')
    if term then lacks('chapters/glossary.tsv: a term that a chapter explains is missing: %s', term) end
  end
end

function Pandoc(doc)
  local chapters, all = labels.read(function(_, text) problem('%s', text) end)
  local used = read_uses(chapters)
  find_missing(all, used)
  table.sort(missing)
  if doc.meta.complete == true then
    for _, text in ipairs(missing) do problem('%s', text) end
  elseif #missing > 0 then
    local path = notes .. 'missing.txt'
    local file = assert(io.open(path, 'w'))
    file:write(table.concat(missing, '\n'), '\n')
    file:close()
    print(('  %d things are still missing from the book: %s'):format(#missing, path))
  end
  table.sort(problems)
  for _, text in ipairs(problems) do io.stderr:write(text, '\n') end
  if #problems > 0 then os.exit(1) end
  return pandoc.Pandoc({})
end
