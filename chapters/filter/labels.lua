-- labels.lua - what can be referred to: chapters, sections, figures, tables, listings, exercises and
-- exhibits, with their numbers. A first pass over each chapter writes its labels to a file; the
-- second pass reads the files of all chapters, and so resolves references between them.

local labels = {}

local folder = (os.getenv('BUILD') or 'build') .. '/book-cache/labels/'

labels.words = {ch = 'Chapter', sec = 'Section', fig = 'Figure', tbl = 'Table', lst = 'Listing',
                ex = 'Exercise', claim = 'Exhibit'}

-- What stands before a label's number. Appendices have letters.
function labels.word(kind, number)
  return kind == 'ch' and number:match('^%u') and 'Appendix' or labels.words[kind]
end

-- The kind of an identifier "fig:partition", or nil.
function labels.kind(id)
  local kind = id:match('^(%l+):[%w-]+$')
  return labels.words[kind] and kind
end

-- In a page's addresses a hyphen stands for the colon.
function labels.anchor(id) return (id:gsub(':', '-')) end

-- "01-partition" -> "1", "partition"; "A-claims" -> "A", "claims"; "index" -> nil, "index".
function labels.name_parts(name)
  local number, slug = name:match('^(%w+)-(.+)$')
  if not number then return nil, name end
  return tostring(tonumber(number) or number):gsub('%.0$', ''), slug
end

-- Writes a chapter's labels ({id, number, title} each), only if they changed.
function labels.write(name, rows)
  local lines = {}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = table.concat({row.id, row.number, (row.title:gsub('%s+', ' '))}, '\t')
  end
  local text, path = table.concat(lines, '\n') .. '\n', folder .. name .. '.tsv'
  local old = io.open(path)
  local same = old and old:read('a') == text
  if old then old:close() end
  if same then return end
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

-- All chapters in order, each {name, number, title, summary}, and all labels by id, each
-- {number, title, page}; `report` is called for an id that two places claim.
function labels.read(report)
  local chapters, by_id = {}, {}
  local files = pandoc.pipe('sh', {'-c', 'ls chapters/*.md'}, '')
  for name in files:gmatch('chapters/([%w-]+)%.md') do
    if name == 'README' then goto next end
    for line in io.lines(folder .. name .. '.tsv') do
      local id, number, title = line:match('^(.-)\t(.-)\t(.*)$')
      if id == 'summary' then
        chapters[#chapters].summary = title
      elseif by_id[id] and id:match('^dfn:') then -- explained in an earlier chapter
      elseif by_id[id] then
        report(id, ('%s is defined twice: also in %s'):format(id, by_id[id].page:gsub('%.html$', '.md')))
      else
        by_id[id] = {number = number, title = title, page = name .. '.html'}
        if id:match('^ch:') then
          chapters[#chapters + 1] = {name = name, number = number, title = title}
        end
      end
    end
    ::next::
  end
  return chapters, by_id
end

return labels
