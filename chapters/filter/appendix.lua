-- appendix.lua - what the appendices list: the claims with their verdicts, and the glossary. Both are
-- tables of chapters/, read here for the other filters, too.

local appendix = {}

local evidence = require 'evidence'
local List = pandoc.List

-- ---- the tables ----------------------------------------------------------------------------------

-- The rows of claims.tsv, {id, document, claim, ...}, in the order A1 A2 ... A10 ... B1.
function appendix.claims()
  local claims = evidence.rows('chapters/claims.tsv')
  table.sort(claims, function(a, b)
    if a.document ~= b.document then return a.document < b.document end
    return tonumber(a.id:sub(2)) < tonumber(b.id:sub(2))
  end)
  return claims
end

-- The rows of glossary.tsv, {term, forms, hans, hant, meaning, anchor}, sorted, and the same by each
-- form that a text may use.
function appendix.glossary()
  local entries, by_form = evidence.rows('chapters/glossary.tsv'), {}
  for _, entry in ipairs(entries) do
    entry.anchor = 'dfn-' .. entry.term:lower():gsub('[^%w]+', '-'):gsub('^-', '')
    by_form[entry.term:lower()] = entry
    for form in entry.forms:gmatch('[^,]+') do by_form[form:match('^%s*(.-)%s*$'):lower()] = entry end
  end
  table.sort(entries, function(a, b) return a.anchor < b.anchor end)
  return entries, by_form
end

-- ---- what is shown -------------------------------------------------------------------------------

local function text_cell(text) return {pandoc.Plain(pandoc.utils.blocks_to_inlines(pandoc.read(text, 'markdown').blocks))} end
local function chinese(text, language)
  return {pandoc.Plain({pandoc.Span({pandoc.Str(text)}, pandoc.Attr('', {}, {lang = language}))})}
end

local function table_of(class, heads, rows)
  local aligns, widths = List(), List()
  for i = 1, #heads do aligns[i], widths[i] = pandoc.AlignLeft, 0 end
  local simple = pandoc.SimpleTable({}, aligns, widths, heads:map(text_cell), rows)
  return pandoc.Div({pandoc.utils.from_simple_table(simple)}, pandoc.Attr('', {'ledger', class}))
end

-- The claims of one document, each with its verdict and a link to its exhibit. link(id) makes one;
-- all: the labels.
function appendix.claims_table(document, all, link)
  local rows = List()
  for _, claim in ipairs(appendix.claims()) do
    if claim.document == document then
      local exhibit = all['claim:' .. claim.id]
      rows:insert({
        exhibit and {pandoc.Plain({link('claim:' .. claim.id)})} or text_cell(claim.id),
        {pandoc.Plain({pandoc.Str(claim.claim)})}, text_cell(exhibit and exhibit.title or 'not shown yet')})
    end
  end
  return table_of('claims', List({'Exhibit', 'The claim, in our words', 'Verdict'}), rows)
end

-- How many claims have which verdict, by document.
function appendix.verdicts_table(verdicts, all)
  local heads, rows = List({'Verdict', 'A', 'B', 'C', 'all'}), List()
  local function row(verdict)
    local counts = {A = 0, B = 0, C = 0}
    for _, claim in ipairs(appendix.claims()) do
      local exhibit = all['claim:' .. claim.id]
      if (exhibit and exhibit.title or 'not shown yet') == verdict then
        counts[claim.document] = counts[claim.document] + 1
      end
    end
    local sum = counts.A + counts.B + counts.C
    if sum == 0 and verdict == 'not shown yet' then return end
    rows:insert(List({verdict, counts.A, counts.B, counts.C, sum}):map(function(v) return text_cell(tostring(v)) end))
  end
  verdicts:map(row)
  row('not shown yet')
  return table_of('verdicts', heads, rows)
end

-- All terms; a term that a chapter explains is a link to that place. address(label, anchor) makes it.
function appendix.glossary_table(all, address)
  local rows = List()
  for _, entry in ipairs(appendix.glossary()) do
    local label = all['dfn:' .. entry.term]
    local term = text_cell(entry.term)[1].content
    rows:insert({
      {pandoc.Plain(label and {pandoc.Link(term, address(label, entry.anchor), '', pandoc.Attr('', {'ref'}))} or term)},
      chinese(entry.hans, 'zh-Hans'), chinese(entry.hant, 'zh-Hant'), text_cell(entry.meaning)})
  end
  return table_of('glossary', List({'Term', '简体', '繁體', 'Meaning'}), rows)
end

return appendix
