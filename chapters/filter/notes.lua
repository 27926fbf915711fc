-- notes.lua - what a chapter leaves for others beside its page: the sections that the search finds,
-- what it used, for check.lua, and on which files it depends, for make.

local notes = {}

local stringify, List = pandoc.utils.stringify, pandoc.List

local function js(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ('\\u%04x'):format(c:byte()) end) .. '"'
end

-- A block's words, formulas without TeX's commands.
local function plain_text(block)
  local function spaced(text) return text.content:insert(pandoc.Space()) or text end
  local words = pandoc.Div({block}):walk({Plain = spaced, Para = spaced, Math = function(math)
    return pandoc.Str((math.text:gsub('\\%a+', ''):gsub('[{}]', '')))
  end})
  return (stringify(words):gsub('%s+', ' '))
end

-- A line [address, title, chapter, text] for each section of a page, as JavaScript.
function notes.sections(blocks, page, chapter)
  local lines, here = List(), {anchor = '', title = chapter, parts = List()}
  local function close()
    local address = page .. (here.anchor ~= '' and '#' .. here.anchor or '')
    local section = List({address, here.title, chapter, table.concat(here.parts, ' ')})
    lines:insert(('[%s],\n'):format(table.concat(section:map(js), ',')))
  end
  for _, block in ipairs(blocks) do
    if block.t == 'Header' then
      close()
      here = {anchor = block.identifier, title = stringify(block), parts = List()}
    elseif block.t ~= 'RawBlock' then
      here.parts:insert(plain_text(block))
    end
  end
  close()
  return table.concat(lines)
end

-- The keys of a table, sorted, a line each.
function notes.lines(set)
  local lines = {}
  for key in pairs(set) do lines[#lines + 1] = key .. '\n' end
  table.sort(lines)
  return table.concat(lines)
end

-- A rule for make: a target depends on these files, and vanished ones stop nothing.
function notes.rule(target, files)
  if #files == 0 then return '' end
  return ('%s: %s\n%s:\n'):format(target, table.concat(files, ' '), table.concat(files, ':\n'))
end

function notes.write(path, text)
  pandoc.pipe('mkdir', {'-p', path:match('(.*)/')}, '')
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

return notes
