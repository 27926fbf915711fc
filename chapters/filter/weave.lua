-- weave.lua - the pandoc filter that makes a page of the book out of a chapter.
--
-- It runs the simulator for the numbers, tables and outputs, cuts the listings out of tested files,
-- numbers what can be referred to, resolves references, and checks what the text asserts. Whatever
-- is wrong is reported with the chapter's line, and the build fails. chapters/README.md shows the
-- author's side.
--
-- Environment: BUILD, the build directory; WEAVE, `labels` for the first pass, or `page`, which makes a
-- page of the site and with it PART, the chapter as a part of the book as one file; EDITION, `book` or
-- `book-instructor`, the one with solutions; TARGET, the page's file.

package.path = 'chapters/filter/?.lua;' .. package.path
local evidence, labels, figure = require 'evidence', require 'labels', require 'figure'
local notes, quiz, appendix, timeline = require 'notes', require 'quiz', require 'appendix', require 'timeline'

local stringify, List = pandoc.utils.stringify, pandoc.List
local build = os.getenv('BUILD') or 'build'
local edition = os.getenv('EDITION') or 'book'
local source_path = PANDOC_STATE.input_files[1]
local name = source_path:match('([^/]*)%.md$')
local number, slug = labels.name_parts(name)
local is_page = true -- else a part of the book as one file is being woven

-- ---- problems ------------------------------------------------------------------------------------

local source_lines = {}
for line in io.lines(source_path) do source_lines[#source_lines + 1] = line end
local problems = {}

-- Remembers a problem at the first line of the chapter that contains `needle`.
local function problem(needle, text, ...)
  local at = 0
  for i, line in ipairs(source_lines) do
    if line:find(needle, 1, true) then at = i break end
  end
  local message = ('%s:%d: %s'):format(source_path, at, text:format(...))
  if not problems[message] then problems[#problems + 1] = message end
  problems[message] = true
end

local function stop_on_problems()
  if #problems == 0 then return end
  for _, message in ipairs(problems) do io.stderr:write(message, '\n') end
  os.exit(1)
end

-- ---- small pieces --------------------------------------------------------------------------------

local function raw(text) return pandoc.RawBlock('html', text) end
local function escape(text)
  return (text:gsub('[&<>"]', {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;'}))
end
local function inlines(markdown) return pandoc.utils.blocks_to_inlines(pandoc.read(markdown, 'markdown').blocks) end
local function trim(text) return text:match('^%s*(.-)%s*$') end
-- Masks, and what ran under which mask.
local function code_like(text)
  return text:match('^0x%x+[ %xx]*$') or text:match('^%d+:%x+[ :%x]*$')
end

-- A value as the page shows it. `as`: hex, percent, or a format such as %.1f.
local function show(v, as)
  if type(v) == 'table' then
    local parts = {}
    for i, member in ipairs(v) do parts[i] = show(member, as) end
    return table.concat(parts, ' ')
  elseif as == 'hex' then
    return ('0x%08x'):format(v)
  elseif as == 'percent' then
    return ('%.1f%%'):format(100 * v)
  elseif as then
    return as:format(v)
  end
  return math.type(v) == 'float' and ('%.6g'):format(v) or tostring(v)
end

local function woven(text, source)
  local inner = code_like(text) and pandoc.Code(text) or pandoc.Str(text)
  return pandoc.Span({inner}, pandoc.Attr('', {'woven'}, {title = source}))
end

-- ---- numbers -------------------------------------------------------------------------------------

-- Runs a command and checks its status; nil after a problem.
local function run(command, status)
  local result, err = evidence.checked(command, status)
  if not result then problem(command, '%s', err) end
  return result
end

-- The value of an expression (evidence.value) as text. A word after ` as ` formats it.
local function evaluate(expr, row, needle)
  local what, as = expr:match('^(.-)%s+as%s+(%S+)$')
  local value, err = evidence.value(what or expr, row)
  if value == nil then
    problem(needle, '%s', err)
    return nil
  end
  local ok, text = pcall(show, value, as)
  if ok then return text end
  problem(needle, '%s: cannot show this as %s', expr, as)
end

-- Stops where a result is not what is expected; `within`, such as 5%, allows a number to be off by so much.
local function check(needle, what, got, expected, within)
  if not expected or expected == '' or got == expected then return end
  local share, number, wanted = (within or ''):match('^([%d.]+)%%$'), tonumber(got), tonumber(expected)
  if within and not (share and wanted) then
    problem(needle, 'within="%s" wants a percentage and a number that is expected', within)
  elseif not within then
    problem(needle, '%s gives %s, but the text says %s', what, got, expected)
  elseif not number or math.abs(number - wanted) > math.abs(wanted) * share / 100 then
    problem(needle, '%s gives %s, but the text says %s within %s', what, got, expected, within)
  end
end

-- What a run prints, by a Lua pattern with one capture.
local function match_output(command, pattern)
  local result = run(command)
  local text = result and result.out:match(pattern)
  if result and not text then problem(command, 'warpsim %s: nothing matches %s', command, pattern) end
  return text
end

-- `warps --block 257`{.run get="warps" expect="9"}; match="(%d+) idle" in the place of get
-- `sem_warps/257x1x1`{.h200 get="[2::3]" expect="2 3 0 1"}
local function number_inline(code)
  local get, pattern, as = code.attributes.get, code.attributes.match, code.attributes.as
  local is_run, text = code.classes:includes('run'), nil
  if not is_run and not code.classes:includes('h200') then return nil end
  if is_run and pattern then
    text = match_output(code.text, pattern)
  elseif get then
    local row = is_run and {command = code.text} or {case = code.text, buffer = code.attributes.buffer}
    local from = is_run and 'sim.' or get:match('^%[') and 'h200' or 'h200.'
    text = evaluate(from .. get .. (as and ' as ' .. as or ''), row, code.text)
  else
    problem(code.text, '%s: get="..." is missing', code.text)
  end
  if not text then return pandoc.Str('?') end
  check(code.text, ('%s (%s)'):format(code.text, get or pattern), text, code.attributes.expect,
    code.attributes.within)
  return woven(text, is_run and 'warpsim ' .. code.text or 'NVIDIA H200, case ' .. code.text)
end

-- ---- floats: figure, table, listing, output ------------------------------------------------------

local numbers = {} -- id -> number within this chapter
local used_parts = {} -- listings: path -> part -> true
local used = {}       -- for check.lua: labels, figures and files

local function caption_of(id, text)
  local kind = labels.kind(id or '')
  local head = kind and ('%s %s. '):format(labels.words[kind], numbers[id] or '?') or ''
  local content = List()
  if head ~= '' then content:insert(pandoc.Strong(head)) content:insert(pandoc.Space()) end
  content:extend(inlines(text or ''))
  return content
end

local function float(class, id, caption, blocks, caption_first)
  local has_caption = caption and #caption > 0
  local anchor = id and id ~= '' and (' id="%s"'):format(labels.anchor(id)) or ''
  local content = List({raw(('<figure class="%s"%s>'):format(class, anchor))})
  if has_caption and caption_first then
    content:extend({raw('<figcaption>'), pandoc.Plain(caption), raw('</figcaption>')})
  end
  content:extend(blocks)
  if has_caption and not caption_first then
    content:extend({raw('<figcaption>'), pandoc.Plain(caption), raw('</figcaption>')})
  end
  content:insert(raw('</figure>'))
  return pandoc.Div(content)
end

local function lines_of(text)
  local lines = List()
  for line in (text:gsub('\n+$', '') .. '\n'):gmatch('(.-)\n') do lines:insert(line) end
  return lines
end

-- The lines that begin with one of the words in `show`, "threads|warps "; an ellipsis stands for what
-- is left out. Without `show`, all.
local function select_lines(lines, show_words, args)
  if not show_words then return lines end
  local shown, hits, gap = List(), {}, false
  for _, line in ipairs(lines) do
    local wanted = false
    for word in show_words:gmatch('[^|]+') do
      if trim(line):sub(1, #word) == word then wanted, hits[word] = true, true end
    end
    if wanted then
      if gap then shown:insert('…') end
      shown:insert(line)
    end
    gap = not wanted
  end
  if gap then shown:insert('…') end
  for word in show_words:gmatch('[^|]+') do
    if not hits[word] then problem(args, 'warpsim %s prints no line that begins with "%s"', args, word) end
  end
  return shown
end

-- A long line, or a command, goes on in the next line; `tail` says so.
local WIDTH = 82
local function fold(line, tail)
  local lines, indent = List(), '    '
  while #line > WIDTH do
    local at = line:sub(1, WIDTH):match('.*%S()%s')
    if not at or at <= #indent then break end
    lines:insert(line:sub(1, at - 1) .. tail)
    line = indent .. trim(line:sub(at))
  end
  lines:insert(line)
  return table.concat(lines, '\n')
end

-- A block of {.warpsim args="..."}: the command and what it prints. Each line of the block's body
-- must be part of the output. status: what the command returns, else 0. show: see select_lines.
local function output_block(block)
  local args = block.attributes.args or ''
  local result = run(args, block.attributes.status)
  if not result then return raw('<!-- failed -->') end
  local text = result.out .. result.err
  for wanted in block.text:gmatch('[^\n]+') do
    if not text:find(trim(wanted), 1, true) then
      problem(wanted, 'warpsim %s no longer prints: %s', args, trim(wanted))
    end
  end
  local shown = select_lines(lines_of(text), block.attributes.show, args)
  shown = shown:map(function(line) return fold(line, '') end)
  shown:insert(1, fold('$ ./warpsim ' .. args, ' \\'))
  local code = pandoc.CodeBlock(table.concat(shown, '\n'), pandoc.Attr('', {'output'}))
  local caption = block.attributes.caption
  if not caption and block.identifier == '' then return code end
  return float('output', block.identifier, caption_of(block.identifier, caption), List({code}))
end

local function split_cells(line)
  local result = List()
  for cell in (line .. '|'):gmatch('(.-)|') do result:insert(trim(cell)) end
  return result
end

local function runs_row(block, heads, cells)
  local key = cells[1]
  local row = {command = evidence.fill(block.attributes.command, key), case = evidence.fill(block.attributes.case, key),
               buffer = block.attributes.buffer}
  local texts = List({key})
  for c = 2, #heads do
    local text = heads[c].expr and evaluate(heads[c].expr, row, key .. ' ') or '?'
    check(key .. ' ', ('%s: %s'):format(row.command or row.case, heads[c].title), text, cells[c])
    texts:insert(text)
  end
  for a, b in (block.attributes.equal or ''):gmatch('(%d+)=(%d+)') do
    local left, right = texts[tonumber(a)], texts[tonumber(b)]
    if left ~= right then
      problem(key .. ' ', '%s: column %s is %s, but column %s is %s', key, a, left, b, right)
    end
  end
  return texts
end

-- A block of {.runs command="... {}"} or case="...": a table with a row for each line of its body.
-- The first line heads the columns, "Title = EXPR" each but the first, which names what replaces
-- {} ({x}: with commas turned into x). A cell holds what is expected, or nothing.
local function runs_block(block)
  local heads, body = List(), List()
  for line in block.text:gmatch('[^\n]+') do
    local cells = split_cells(line)
    if #heads > 0 then
      body:insert(runs_row(block, heads, cells))
    else
      heads = cells:map(function(cell)
        local title, expr = cell:match('^(.-)%s*=%s*(.*)$')
        return {title = title or cell, expr = expr}
      end)
    end
  end
  local function cell(text)
    return {pandoc.Plain(code_like(text) and {pandoc.Code(text)} or {pandoc.Str(text)})}
  end
  local aligns, widths = List(), List()
  for i = 1, #heads do aligns:insert(i == 1 and pandoc.AlignLeft or pandoc.AlignRight) widths:insert(0) end
  local tab = pandoc.utils.from_simple_table(pandoc.SimpleTable({}, aligns, widths,
    heads:map(function(head) return {pandoc.Plain(inlines(head.title))} end),
    body:map(function(row) return row:map(cell) end)))
  return float('table', block.identifier, caption_of(block.identifier, block.attributes.caption), List({tab}), true)
end

-- The lines of a file between "// [part]" and "// [/part]", less their common indentation; and the
-- number that each has in the file.
local function cut(path, part, needle)
  local text = evidence.read(path)
  if not text then return problem(needle, 'listing: there is no file %s', path) end
  local lines, numbers_in_file, at, state, indent = List(), List(), 0, 'before', nil
  for line in text:gmatch('([^\n]*)\n') do
    at = at + 1
    local close, marker = line:match('^%s*//%s*%[(/?)([%w-]+)%]%s*$')
    if marker == part then
      if (close == '') ~= (state == 'before') then
        return problem(needle, 'listing: the marker [%s%s] of %s is out of place', close, part, path)
      end
      state = close == '' and 'inside' or 'after'
    elseif state == 'inside' and not marker then
      lines:insert(line)
      numbers_in_file:insert(at)
      if line:match('%S') then indent = math.min(indent or 99, #line:match('^%s*')) end
    end
  end
  if state == 'before' then return problem(needle, 'listing: %s has no marker // [%s]', path, part) end
  if state == 'inside' then return problem(needle, 'listing: %s has no marker // [/%s]', path, part) end
  return table.concat(lines:map(function(line) return line:sub((indent or 0) + 1) end), '\n'), numbers_in_file
end

-- A listing with what a run did in each of its lines, by the run's profile.
local function profiled(text, numbers_in_file, path, command)
  local result, err = evidence.json(command .. ' --profile')
  if not result then return problem(command, 'listing: %s', err) end
  local by_line, all = {}, 0
  for _, line in ipairs(result.profile) do
    local cycles = 0
    for _, count in pairs(line.cycles) do cycles = cycles + count end
    all = all + cycles
    if line.file:match('[^/]*$') == path:match('[^/]*$') then by_line[line.line] = {line, cycles} end
  end
  local shown, hits = List({'executed passes lanes cycles │'}), 0
  for i, line in ipairs(lines_of(text)) do
    local stats = by_line[numbers_in_file[i]]
    hits = hits + (stats and 1 or 0)
    local with_stats = stats and ('%8d %6d %5.1f %5.1f%% │ %s'):format(stats[1].instructions, stats[1].passes, stats[1].lanes,
      100 * stats[2] / math.max(all, 1), line) or (' '):rep(29) .. '│ ' .. line
    shown:insert((with_stats:gsub('%s+$', '')))
  end
  if hits == 0 then return problem(command, 'listing: warpsim %s runs no line of this part', command) end
  return table.concat(shown, '\n')
end

local tested = {'^chapters/code/', '^labs/', '^solutions/', '^sim/tests/'}

-- A block of {.cuda file="..." part="..."}: a listing, cut from a tested file. profile="run ...": with
-- what that run did in each line.
local function listing_block(block)
  local path, part = block.attributes.file, block.attributes.part or ''
  local needle = 'part="' .. part .. '"'
  local ok = false
  for _, pattern in ipairs(tested) do ok = ok or path:match(pattern) end
  if not ok then problem(needle, 'listing: %s is not among the tested files', path) end
  if trim(block.text) ~= '' then problem(needle, 'listing: its block must be empty') end
  used_parts[path] = used_parts[path] or {}
  used_parts[path][part] = true
  local text, numbers_in_file = cut(path, part, needle)
  local command, class = block.attributes.profile, block.classes[1]
  if text and command then text, class = profiled(text, numbers_in_file, path, command), 'output' end
  local code = pandoc.CodeBlock(text or '', pandoc.Attr('', {class}))
  return float('listing', block.identifier, caption_of(block.identifier, block.attributes.caption), List({code}))
end

-- Every part of the chapter's own code is shown, and the file is run.
local function check_own_code()
  local path = ('chapters/code/%s.cu'):format(name)
  local text = evidence.read(path)
  if not text then return end
  for part in text:gmatch('//%s*%[([%w-]+)%]') do
    if not (used_parts[path] or {})[part] then problem('---', 'the part [%s] of %s is not shown', part, path) end
  end
  if not evidence.ran[path] then problem('---', '%s is shown but never run', path) end
end

-- In pixels; gnuplot names it in the viewBox only.
local function svg_width(svg) return tonumber(svg:match('viewBox="%S+ %S+ (%S+)')) end

-- gnuplot's SVG as part of the page: it takes the page's ink, and its ids are its own.
local function inline_svg(svg, base, alt)
  local prefix, width = base .. '-', svg_width(svg)
  svg = svg:gsub('^.-(<svg)', '%1', 1):gsub('<title>.-</title>%s*', ''):gsub('<desc>.-</desc>%s*', '')
  svg = svg:gsub('id=(["\'])', 'id=%1' .. prefix):gsub('href=(["\'])#', 'href=%1#' .. prefix)
  svg = svg:gsub('url%(#', 'url(#' .. prefix)
  svg = svg:gsub('([a-z]+)=(["\'])black%2', '%1=%2currentColor%2')
  return (svg:gsub('<svg', ('<svg style="--width:%gpx" role="img" aria-label="%s"'):format(width, escape(alt)), 1))
end

-- Puts a figure's files into the site. Chapters that show the same one may do so at once.
local function publish(base)
  pandoc.pipe('sh', {'-c', [[mkdir -p "$2" && for file in "$1".svg "$1".png "$1".tsv; do
      cp -p "$file" "$2/$$" && mv "$2/$$" "$2/${file##*/}" || exit 1; done]], 'sh', base,
    ('%s/%s/figures'):format(build, edition)}, '')
end

-- ![caption](NAME.svg){#fig:NAME}: a figure that `make plots` drew.
local function figure_block(image)
  local file = image.src:match('^([%w-]+)%.svg$')
  if not file then
    return problem(image.src, 'figure: %s is not the name of a figure, NAME.svg', image.src)
  end
  local spec, err = figure.read(file)
  if not spec then return problem(image.src, 'figure: %s', err) end
  local base = build .. '/plots/' .. file
  local svg, drawn = evidence.read(base .. '.svg'), evidence.read(base .. '.tsv')
  if not svg or not drawn then return problem(image.src, 'figure: %s.svg is not drawn; `make plots` draws it', base) end
  local data, why = figure.data(spec)
  if not data then return problem(image.src, 'figure: %s', why) end
  if data ~= drawn then
    problem(image.src, 'figure: the data of %s is stale; draw it again with `make plots`', file)
  end
  used['figure ' .. file] = true
  local alt = image.attributes.alt or spec.alt
  local caption = caption_of(image.identifier, '')
  caption:extend(image.caption)
  if not is_page then
    return float('plot', image.identifier, caption, List({raw(('<img src="%s.svg" width="%d" alt="%s" />'):format(file, svg_width(svg), escape(alt)))}))
  end
  publish(base)
  local links = ('<p class="files">data and picture: <a href="figures/%s.tsv">tsv</a> <a href="figures/%s.svg">svg</a> <a href="figures/%s.png">png</a></p>'):format(file, file, file)
  return float('plot', image.identifier, caption,
    List({raw('<div class="picture" tabindex="0">' .. inline_svg(svg, file, alt) .. '</div>'), raw(links)}))
end

-- A block of {.trace #fig:id args="run ..." caption="..." alt="..."}: what a run did cycle by cycle, as the page
-- that warpsim makes of it; in the book as one file, as a picture.
local function trace_block(block)
  local args, base = block.attributes.args or '', labels.anchor(block.identifier)
  local path, err = evidence.trace(args, is_page and 'html' or 'csv')
  if not path then return problem(args, 'trace: %s', err) end
  if not block.attributes.alt then problem(args, 'trace: alt="..." is missing') end
  local alt, caption = escape(block.attributes.alt or ''), caption_of(block.identifier, block.attributes.caption)
  if not is_page then
    notes.write(('%s/book-cache/traces/%s.svg'):format(build, base), timeline.svg(evidence.read(path)))
    return float('plot', block.identifier, caption, List({raw(('<img src="%s.svg" alt="%s" />'):format(base, alt))}))
  end
  notes.write(('%s/%s/traces/%s.html'):format(build, edition, base), evidence.read(path))
  return float('trace', block.identifier, caption, List({
    raw(('<iframe src="traces/%s.html" title="%s" loading="lazy"></iframe>'):format(base, alt)),
    raw(('<p class="files"><a href="traces/%s.html">the timeline as a page of its own</a>; <code>./warpsim %s --trace timeline.html</code> makes it</p>'):format(base, escape(args)))}))
end

-- ---- exhibits and exercises ----------------------------------------------------------------------

local verdicts = List({'holds', 'holds under a condition', 'wrong', 'contradicts another'})
local marks = {['holds'] = '✓', ['holds under a condition'] = '◐', ['wrong'] = '✗', ['contradicts another'] = '≠'}
local claims -- id -> true
local function claim_exists(id)
  if not claims then
    claims = {}
    for _, claim in ipairs(appendix.claims()) do claims[claim.id] = true end
  end
  return claims[id]
end

-- ::: {.exhibit claims="B2" verdict="holds"}: a claim before its three witnesses, a definition list
-- whose terms are Document, Simulator, H200 and, where there is more to say, Why.
local function exhibit_block(div)
  local ids, verdict = div.attributes.claims or '', div.attributes.verdict or ''
  local needle = 'claims="' .. ids .. '"'
  for id in ids:gmatch('%S+') do
    if not claim_exists(id) then problem(needle, 'exhibit: there is no claim %s in chapters/claims.tsv', id) end
  end
  if not marks[verdict] then
    problem(needle, 'exhibit: the verdict "%s" is none of: %s', verdict, table.concat(verdicts, ', '))
  end
  local terms = {}
  for _, block in ipairs(div.content) do
    if block.t == 'DefinitionList' then
      for _, item in ipairs(block.content) do terms[stringify(item[1])] = true end
    end
  end
  for _, term in ipairs({'Document', 'Simulator', 'H200'}) do
    if not terms[term] then problem(needle, 'exhibit: the witness "%s" is missing', term) end
  end
  local names = {}
  for id in ids:gmatch('%S+') do names[#names + 1] = ('<span id="claim-%s">%s</span>'):format(escape(id), escape(id)) end
  div.content:insert(1, raw(('<p class="exhibit-head"><span>Exhibit %s</span> <span class="verdict" data-verdict="%s"><span aria-hidden="true">%s</span> %s</span></p>')
    :format(table.concat(names, ', '), escape(verdict), marks[verdict] or '?', escape(verdict))))
  return pandoc.Div(div.content, pandoc.Attr('', {'exhibit'}))
end

local questions = quiz.read(name) -- nil without a quiz

local function check_quiz()
  if not questions then return end
  quiz.check(questions, function(question, message)
    problems[#problems + 1] = ('chapters/quiz/%s.tsv: %s: %s'):format(name, question, message)
  end)
end

-- quiz="NAME" of an exercise: a question of the chapter's quiz that asks the same with other numbers.
local function quiz_hint(div, where)
  local question = div.attributes.quiz
  if not question then return nil end
  if not (questions or {})[question] then
    problem(where, 'exercise: chapters/quiz/%s.tsv has no question %s', name, question)
  end
  return pandoc.Div({pandoc.Para({pandoc.Str('With other numbers: '),
                                  pandoc.Code(('./grade quiz %s %s'):format(slug, question))})},
                    pandoc.Attr('', {'variants'}))
end

-- ::: {.exercise #ex:id level=1} ... ::: solution ... ::: ... :::
local function exercise_block(div)
  local level = tonumber(div.attributes.level)
  local where = div.identifier ~= '' and div.identifier or 'exercise'
  if not level or level < 1 or level > 3 then problem(where, 'exercise: level=1, 2 or 3 is missing') level = 1 end
  local solved = false
  local content = List()
  for _, block in ipairs(div.content) do
    if block.t == 'Div' and block.classes:includes('solution') then
      solved = true
      if edition ~= 'book' then
        block.content:insert(1, raw('<p class="solution-head">Solution</p>'))
        content:insert(block)
      end
    else
      content:insert(block)
    end
  end
  if not solved then problem(where, 'exercise: it has no solution') end
  content:insert(quiz_hint(div, where))
  local title = ('Exercise %s'):format(numbers[div.identifier] or '')
  content:insert(1, raw(('<p class="exercise-head"><span>%s</span> <span class="level" role="img" aria-label="difficulty %d of 3" title="difficulty %d of 3">%s%s</span></p>')
    :format(title, level, level, ('●'):rep(level), ('○'):rep(3 - level))))
  return pandoc.Div(content, pandoc.Attr(labels.anchor(div.identifier), {'exercise'}))
end

-- ---- numbering -----------------------------------------------------------------------------------

-- Calls each(element) for what can carry a label, in reading order.
local function visit(blocks, each)
  for _, block in ipairs(blocks) do
    each(block)
    if block.t == 'Div' or block.t == 'BlockQuote' then
      visit(block.content, each)
    elseif block.t == 'BulletList' or block.t == 'OrderedList' then
      for _, item in ipairs(block.content) do visit(item, each) end
    elseif block.t == 'DefinitionList' then
      for _, item in ipairs(block.content) do
        for _, definition in ipairs(item[2]) do visit(definition, each) end
      end
    elseif (block.t == 'Para' or block.t == 'Plain') and #block.content == 1 and block.content[1].t == 'Image' then
      each(block.content[1])
    end
  end
end

local glossary = select(2, appendix.glossary())

-- The terms of the glossary that a chapter explains, [term]{.dfn}.
local function terms_of(doc)
  local terms = {}
  doc:walk({Span = function(span)
    local entry = span.classes:includes('dfn') and glossary[stringify(span):lower()]
    if entry then terms[entry.term] = true end
  end})
  return terms
end

-- Gives every label its number; the rows for labels.write.
local function assign(doc)
  local rows, counts, sections = List(), {}, {0, 0}
  local function add(id, text, title)
    if numbers[id] then problem(id, '%s is defined twice', id) end
    numbers[id] = text
    rows:insert({id = id, number = text, title = title or ''})
  end
  local function next_number(kind)
    counts[kind] = (counts[kind] or 0) + 1
    return number and ('%s.%d'):format(number, counts[kind]) or tostring(counts[kind])
  end
  add('ch:' .. slug, number or '', stringify(doc.meta.title or slug))
  rows:insert({id = 'summary', number = '', title = stringify(doc.meta.summary or '')})
  for term in pairs(terms_of(doc)) do rows:insert({id = 'dfn:' .. term, number = '', title = ''}) end
  visit(doc.blocks, function(block)
    if block.t == 'Header' then
      local level = block.level - 1
      if level == 1 then sections = {sections[1] + 1, 0} elseif level == 2 then sections[2] = sections[2] + 1 end
      local text = level == 1 and tostring(sections[1]) or level == 2 and ('%d.%d'):format(sections[1], sections[2])
      if block.level == 1 then problem('# ' .. stringify(block), 'sections begin with ##: the title is in the head') end
      text = text and number and number .. '.' .. text or text
      if text and number and not block.classes:includes('unnumbered') then block.attributes['data-number'] = text end
      if labels.kind(block.identifier) then add(block.identifier, text or '', stringify(block)) end
    elseif block.t == 'Div' and block.classes:includes('exhibit') then
      for id in (block.attributes.claims or ''):gmatch('%S+') do add('claim:' .. id, id, block.attributes.verdict) end
    elseif block.t == 'Div' or block.t == 'CodeBlock' or block.t == 'Image' then
      local kind = labels.kind(block.identifier)
      local is_exercise = block.t == 'Div' and block.classes:includes('exercise')
      if is_exercise and not kind then problem('{.exercise', 'exercise: it has no #ex:name') end
      if kind then add(block.identifier, next_number(kind)) end
    end
  end)
  return rows
end

-- ---- references ----------------------------------------------------------------------------------

-- The address of an anchor of a label's page.
local function address_of(label, anchor)
  local page = (not is_page or label.page == name .. '.html') and '' or label.page
  return page .. '#' .. anchor
end

local function link_to(id, all, needle)
  local target = all[id]
  used[id] = true
  local kind = labels.kind(id)
  if not target then
    problem(needle, 'reference: there is no %s', id)
    return pandoc.Str('?')
  end
  local text = ('%s %s'):format(labels.word(kind, target.number), target.number)
  local address = is_page and kind == 'ch' and target.page or address_of(target, labels.anchor(id))
  return pandoc.Link({pandoc.Str(text)}, address, '', pandoc.Attr('', {'ref'}, target.title ~= '' and {title = target.title} or {}))
end

local function resolve_cite(cite, all)
  local result = List()
  for i, citation in ipairs(cite.citations) do
    if i > 1 then result:extend({pandoc.Str(','), pandoc.Space()}) end
    result:insert(link_to(citation.id, all, '@' .. citation.id))
  end
  return result
end

local function check_link(link, ids, chapters)
  if link.classes:includes('ref') then return end -- made here, of a label
  local target = link.target
  if target:match('^https?://') or target:match('^mailto:') then return end
  local page, anchor = target:match('^([^#]*)#?(.*)$')
  if page == '' then
    if not is_page and not ids[anchor] then anchor = slug .. '-' .. anchor end
    if not ids[anchor] then problem(target, 'dead link: there is no %s in this chapter', target) end
    link.target = '#' .. anchor
    return link
  end
  for _, chapter in ipairs(chapters) do
    if chapter.name .. '.html' == page and anchor == '' then
      if not is_page then link.target = '#ch-' .. select(2, labels.name_parts(chapter.name)) end
      return link
    end
  end
  problem(target, 'dead link: %s (to a labelled place of another chapter, write @sec:name)', target)
end

-- ---- the page ------------------------------------------------------------------------------------

local function chapter_meta(chapter)
  return {number = chapter.number, title = chapter.title, url = chapter.name .. '.html',
          summary = chapter.summary or '', current = chapter.name == name or nil}
end

local function contents_block(chapters)
  local items = {}
  for _, chapter in ipairs(chapters) do
    if chapter.number ~= '' then
      items[#items + 1] = ('<li><a href="%s.html"><span class="number">%s</span> %s</a><p>%s</p></li>'):format(
        chapter.name, chapter.number, escape(chapter.title), escape(chapter.summary or ''))
    end
  end
  return pandoc.Div({raw('<ol class="contents">' .. table.concat(items, '\n') .. '</ol>')}, pandoc.Attr('', {'site'}))
end

local function set_meta(meta, chapters)
  meta.number = number
  meta.word = number and labels.word('ch', number)
  meta.chapters = List(chapters):filter(function(c) return c.number ~= '' end):map(chapter_meta)
  if edition ~= 'book' then meta.instructor = true end
  for i, chapter in ipairs(chapters) do
    if chapter.name == name and number then
      local before, after = chapters[i - 1], chapters[i + 1]
      if before and before.number ~= '' then meta.previous = chapter_meta(before) end
      if after and after.number ~= '' then meta.next = chapter_meta(after) end
    end
  end
end

local function sorted(chapters)
  table.sort(chapters, function(a, b)
    local front_a, front_b = a.number == '', b.number == ''
    if front_a ~= front_b then return front_a end
    return a.name < b.name
  end)
  return chapters
end

-- Writes what others need to know of the chapter.
local function write_notes(doc)
  local base = ('%s/book-cache/%s/%s'):format(build, edition, name)
  notes.write(base .. '.d', notes.rule(os.getenv('TARGET') .. ' ' .. os.getenv('PART'), evidence.list_inputs()))
  for path in pairs(evidence.inputs) do used[path] = true end
  local title = stringify(doc.meta.title or name)
  notes.write(base .. '.uses', notes.lines(used))
  notes.write(base .. '.js', notes.sections(doc.blocks, name .. '.html', number and number .. ' ' .. title or title))
end

local function heading_number(header)
  local text = header.attributes['data-number']
  header.attributes['data-number'] = nil
  if text then
    header.content:insert(1, pandoc.Span({pandoc.Str(text)}, pandoc.Attr('', {'number'})))
    header.content:insert(2, pandoc.Space())
  end
  header.identifier = labels.anchor(header.identifier)
  local own = header.identifier ~= '' and not header.identifier:match('^sec-')
  if own and not is_page then header.identifier = slug .. '-' .. header.identifier end
  return header
end

-- A chapter as a part of one document: below a heading of its own, and without what only a site needs.
local function part_blocks(doc)
  local title = doc.meta.preface or doc.meta.title
  local heading = List(pandoc.utils.type(title) == 'Inlines' and title or {pandoc.Str(stringify(title))})
  if number then
    heading:insert(1, pandoc.Span({pandoc.Str(number)}, pandoc.Attr('', {'number'})))
    heading:insert(2, pandoc.Space())
  end
  local blocks = List({pandoc.Header(1, heading, pandoc.Attr('ch-' .. slug))})
  if number and doc.meta.summary then
    blocks:insert(pandoc.Div({pandoc.Para(doc.meta.summary)}, pandoc.Attr('', {'summary'})))
  end
  blocks:extend(doc.blocks:filter(function(block) return not (block.classes and block.classes:includes('site')) end))
  return blocks
end

local function weave_block(block)
  if block.classes:includes('warpsim') then return output_block(block) end
  if block.classes:includes('runs') then return runs_block(block) end
  if block.classes:includes('trace') then return trace_block(block) or raw('<!-- failed -->') end
  if block.attributes.file then return listing_block(block) end
end

-- What the appendices list, or nil.
local function list_block(div, all)
  local function link(id) return link_to(id, all, div.classes[1]) end
  if div.classes:includes('claims') then return appendix.claims_table(div.attributes.document, all, link) end
  if div.classes:includes('verdicts') then return appendix.verdicts_table(verdicts, all) end
  if div.classes:includes('glossary') then return appendix.glossary_table(all, address_of) end
end

-- [term]{.dfn}: the place to which the glossary leads, if it is the first to explain the term.
local explained = {}
local function weave_term(span, all)
  if not span.classes:includes('dfn') then return nil end
  local text = stringify(span)
  local entry = glossary[text:lower()]
  if not entry then
    used['term ' .. text] = true
    return nil
  end
  if all['dfn:' .. entry.term].page ~= name .. '.html' or explained[entry.term] then return nil end
  explained[entry.term] = true
  span.identifier = entry.anchor
  return span
end

local function weave_div(div, chapters, all)
  if div.classes:includes('exhibit') then return exhibit_block(div) end
  if div.classes:includes('exercise') then return exercise_block(div) end
  if div.classes:includes('contents') then return contents_block(chapters) end
  local listed = list_block(div, all)
  if listed then return listed end
  if labels.kind(div.identifier) == 'tbl' then
    return float('table', div.identifier, caption_of(div.identifier, div.attributes.caption), div.content, true)
  end
end

local function weave_paragraph(para)
  if #para.content ~= 1 or para.content[1].t ~= 'Image' then return nil end
  return figure_block(para.content[1]) or raw('<!-- failed -->')
end

-- The chapter with all that runs give, for a page or for a part of one file.
local function weave(doc, chapters, all)
  local ids = {}
  explained = {}
  local woven_doc = doc:walk({Code = number_inline})
  woven_doc = woven_doc:walk({CodeBlock = weave_block, Para = weave_paragraph})
  woven_doc = woven_doc:walk({Div = function(div) return weave_div(div, chapters, all) end, Header = heading_number,
    Span = function(span) return weave_term(span, all) end})
  local function note(element)
    if element.identifier and element.identifier ~= '' then ids[element.identifier] = true end
  end
  woven_doc:walk({Header = note, Div = note, Span = note})
  for id in pairs(numbers) do ids[labels.anchor(id)] = true end
  return woven_doc:walk({
    Cite = function(cite) return resolve_cite(cite, all) end,
    Link = function(link) return check_link(link, ids, chapters) end,
    Image = function(image)
      problem(image.src, 'figure: %s must stand alone, as a paragraph', image.src)
    end,
  })
end

-- Writes the part; its runs are those of the page, and cost nothing more.
local function write_part(doc, chapters, all)
  is_page = false
  local part = weave(doc, chapters, all)
  part.blocks = part_blocks(part)
  notes.write(os.getenv('PART'), pandoc.write(part, 'json'))
  is_page = true
end

function Pandoc(doc)
  local rows = assign(doc)
  if os.getenv('WEAVE') == 'labels' then
    stop_on_problems()
    labels.write(name, rows)
    return pandoc.Pandoc({})
  end
  local chapters, all = labels.read(problem)
  sorted(chapters)
  local page = weave(doc, chapters, all)
  check_own_code()
  check_quiz()
  stop_on_problems()
  write_part(doc, chapters, all)
  stop_on_problems()
  write_notes(page)
  set_meta(page.meta, chapters)
  return page
end
