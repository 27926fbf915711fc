-- evidence.lua - where the book's numbers come from: runs of the simulator, and the H200's tables.
--
-- A run is kept under BUILD/book-cache/runs by the hash of everything that it depends on: the
-- command, the simulator, its headers and architectures, the compiler, and the files that the
-- command names together with what those include. A run that did not end by itself is not kept.

local evidence = {
  inputs = {}, -- the files that were used, for the makefile
  ran = {},    -- the files that a run named
}

local json = require 'json'
local build = os.getenv('BUILD') or 'build'
local runs = build .. '/book-cache/runs/'
local tables = 'sim/tests/hardware/'
local SECONDS = '120'

local function read(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read('a') -- nil for a folder
  file:close()
  return text
end

function evidence.read(path)
  local text = read(path)
  if text then evidence.inputs[path] = true end
  return text
end

local function cells(line)
  local result = {}
  for cell in (line .. '\t'):gmatch('([^\t]*)\t') do result[#result + 1] = cell end
  return result
end

-- The rows of a table with tabs between its cells, each from column to cell ('' for `-`); lines that
-- begin with # are comments. No rows when there is no such file.
function evidence.rows(path)
  local rows, columns = pandoc.List(), nil
  for line in (evidence.read(path) or ''):gmatch('[^\r\n]+') do
    local values = line:sub(1, 1) ~= '#' and cells(line)
    if values and columns then
      local row = {}
      for i, name in ipairs(columns) do row[name] = values[i] ~= '-' and values[i] or '' end
      rows:insert(row)
    end
    columns = columns or values or nil
  end
  return rows
end

local function shell(script, ...) return pandoc.pipe('sh', {'-c', script, 'sh', ...}, '') end

-- The files that were used, but for those below BUILD, sorted.
function evidence.list_inputs()
  local list = {}
  for path in pairs(evidence.inputs) do
    if path:sub(1, #build + 1) ~= build .. '/' then list[#list + 1] = path end
  end
  table.sort(list)
  return list
end

-- Keeps a text in the cache, under its hash: the file's path.
function evidence.keep(folder, text, suffix)
  local path = ('%s/book-cache/%s/%s%s'):format(build, folder, pandoc.utils.sha1(text), suffix)
  if read(path) ~= text then pandoc.pipe('sh', {'-c', 'mkdir -p "${1%/*}" && cat >"$1"', 'sh', path}, text) end
  return path
end

-- Words as a shell would split them, without expansions: blanks separate, quotes keep together.
local function split(command)
  local words, word, quote = {}, nil, nil
  for c in command:gmatch('.') do
    if quote then
      if c == quote then quote = nil else word = word .. c end
    elseif c == '"' or c == "'" then
      quote, word = c, word or ''
    elseif c:match('%s') then
      if word then words[#words + 1] = word end
      word = nil
    else
      word = (word or '') .. c
    end
  end
  if word then words[#words + 1] = word end
  return words
end

-- Hashes of what a run depends on beside the files it names: of the simulator with all that is
-- beside it, and of what decides which PTX a source becomes.
local beside = {
  engine = 'cat "$1/warpsim" && find sim/cuda sim/arch -type f | LC_ALL=C sort | xargs cat',
  compiler = 'cat sim/device/compile.c && find sim/cuda -type f | LC_ALL=C sort | xargs cat',
}
local hashes = {}
local function hash_of(what)
  hashes[what] = hashes[what] or
    shell('{ ' .. beside[what] .. ' && "${CLANG:-clang}" --version; } | sha1sum', build)
  return hashes[what]
end

-- Adds the contents of a file, and of what it includes with quotes, to `parts`.
local function add_file(parts, path)
  local text = evidence.read(path)
  if not text then return end
  parts[#parts + 1] = path .. '\n' .. text
  for name in text:gmatch('#include%s+"([^"]+)"') do
    add_file(parts, (path:match('(.*/)') or '') .. name)
  end
end

-- Runs `warpsim COMMAND` where no such run is kept; its result. Of several processes that do so at
-- once, each moves whole files into place.
local function run_now(words, name, kept_ptx)
  local tmp = name .. '.' .. tostring({}):match('0x(%x+)')
  local status = shell([[
    tmp=$1 limit=$2 build=$3; export WARPBOOK_KEEP_PTX="$4"; shift 4; mkdir -p "${tmp%/*}" "$WARPBOOK_KEEP_PTX"
    tmp=$tmp.$$
    timeout "$limit" "$build/warpsim" "$@" >"$tmp.out" 2>"$tmp.err" </dev/null; echo "$? $$"]],
    tmp, SECONDS, build, kept_ptx, table.unpack(words))
  local code, process = status:match('(%d+) (%d+)')
  tmp = tmp .. '.' .. process
  local result = {status = tonumber(code), out = read(tmp .. '.out'), err = read(tmp .. '.err')}
  shell(result.status < 4 and [[mv "$1.out" "$2.out" && mv "$1.err" "$2.err" && echo "$3" >"$1" && mv "$1" "$2.status"]]
          or [[rm -f "$1".*]], tmp, name, code)
  return result
end

-- Runs `warpsim COMMAND` from the top of the repository: {status, out, err}.
local known = {}
function evidence.run(command)
  if known[command] then return known[command] end
  local words, files = split(command), {}
  for i, word in ipairs(words) do
    local path = word:match('^(.+%.cu):%w+$') or word -- a scheduler is FILE:FUNCTION
    evidence.ran[path] = true
    if words[i - 1] ~= '--trace' then add_file(files, path) end -- a trace is written
  end
  local sources = table.concat(files, '\0')
  local name = runs .. pandoc.utils.sha1(table.concat({hash_of('engine'), table.concat(words, '\0'), sources}, '\0'))
  local status = read(name .. '.status')
  known[command] = status and {status = tonumber(status), out = read(name .. '.out'), err = read(name .. '.err')}
    or run_now(words, name, build .. '/book-cache/ptx/' .. pandoc.utils.sha1(hash_of('compiler') .. sources))
  return known[command]
end

local function starts(line, prefix) return line:sub(1, #prefix) == prefix end

-- What was measured: of the tests' kernels, of the chapters' own (book-), and of those whose result
-- CUDA leaves open (undefined-); events are of the tests of control flow.
local measurements = {
  values = {'h200/values.tsv', 'h200/book-values.tsv', 'h200/undefined-values.tsv'},
  timing = {'h200/timing.tsv', 'h200/book-timing.tsv'},
  events = {'controlflow.tsv'},
}
local known_lines = {}
local function measured(what)
  local lines = known_lines[what]
  if lines then return lines end
  lines = {}
  for _, name in ipairs(measurements[what]) do
    for line in (evidence.read(tables .. name) or ''):gmatch('[^\n]+') do
      if not starts(line, '#') then lines[#lines + 1] = line end
    end
  end
  known_lines[what] = lines
  return lines
end

-- The values of a buffer of a case on the H200, as numbers; nil when there is no such case.
function evidence.h200_values(id, buffer)
  for _, line in ipairs(measured('values')) do
    if starts(line, id .. '\t' .. buffer .. '\t') then
      local values = {}
      for word in cells(line)[4]:gmatch('%S+') do values[#values + 1] = tonumber(word) or word end
      return values
    end
  end
  return nil, ('the H200 has no values for %s, buffer %s'):format(id, buffer)
end

-- A column of the H200's tables for a case: span_min, span_median, warp_mean or regs, in cycles and
-- registers; events, the blocks of a program that ran and their masks.
function evidence.h200_timing(id, column)
  local lines, wanted = measured(column == 'events' and column or 'timing'), nil
  for i, name in ipairs(cells(lines[1])) do if name == column then wanted = i end end
  if not wanted then return nil, ('there is no column %s'):format(column) end
  for _, line in ipairs(lines) do
    if starts(line, id .. '\t') then
      local cell = cells(line)[wanted]
      return tonumber(cell) or cell
    end
  end
  return nil, ('the H200 has no %s of %s'):format(column, id)
end

-- ---- values ---------------------------------------------------------------------------------------

-- A template with {} replaced by a key; {x}: with its commas turned into x; {1}, {2}: its parts
-- between commas.
function evidence.fill(template, key)
  return template and (template:gsub('{(%w?)}', function(what)
    if what == '' then return key end
    if what == 'x' then return (key:gsub(',', 'x')) end
    local part, n = nil, tonumber(what)
    for word in key:gmatch('[^,]+') do
      n = n and n - 1
      if n == 0 then part = word end
    end
    return part
  end))
end

local function first_line(text) return text:match('[^\n]*') end

-- Runs a command that must end with a status, else 0: its result; nil and a message if it does not.
function evidence.checked(command, status)
  local result = evidence.run(command)
  if result.status == tonumber(status or 0) then return result end
  local said = first_line(result.err ~= '' and result.err or result.out)
  if result.status == 124 then said = 'it did not end in time' end
  return nil, ('warpsim %s: status %d, not %s: %s'):format(command, result.status, status or 0, said)
end

-- What a command prints with --json; nil and a message when it fails.
local parsed = {}
function evidence.json(command)
  if parsed[command] then return parsed[command] end
  local result, err = evidence.checked(command .. ' --json')
  if not result then return nil, err end
  parsed[command], err = json.parse(result.out)
  return parsed[command], err and ('warpsim %s: %s'):format(command, err)
end

-- The trace of a command as a file of a form, html or csv: its path; nil and a message when it fails.
function evidence.trace(command, form)
  local folder = build .. '/book-cache/traces/'
  local path = ('%s%s.%s'):format(folder, pandoc.utils.sha1(command), form)
  pandoc.pipe('mkdir', {'-p', folder}, '')
  local result, err = evidence.checked(command .. ' --trace ' .. path)
  if not result then return nil, err end
  if not read(path) then return nil, ('%s is gone: remove %s, too'):format(path, runs) end
  return path
end

-- "PATH / 256 - 4": the path, and a function that applies the constants from left to right to a
-- number, or to each of a list.
local function split_arithmetic(expr)
  local steps = {}
  while true do
    local rest, operation, operand = expr:match('^(.-)%s+([-+*/])%s+([%d.]+)$')
    if not rest then break end
    expr = rest
    table.insert(steps, 1, {operation, tonumber(operand)})
  end
  local function apply(v)
    if type(v) == 'table' then
      local list = {}
      for i, member in ipairs(v) do list[i] = apply(member) end
      return list
    end
    for _, step in ipairs(steps) do
      local operation, n = table.unpack(step)
      v = operation == '/' and v / n or operation == '*' and v * n or operation == '+' and v + n or v - n
    end
    return v
  end
  return expr, #steps > 0 and apply or function(v) return v end
end

-- The value of an expression: sim.PATH, from the command's JSON; h200[...] or h200.COLUMN, from a case
-- of the hardware tables; then, perhaps, constants, as in `h200.span_min / 256`. `row` has command,
-- case and buffer, and keeps the JSON. nil and a message when there is none.
function evidence.value(expr, row)
  local arithmetic
  expr, arithmetic = split_arithmetic(expr)
  local value, err
  if expr:match('^sim%.') then
    if not row.sim then
      row.sim, err = evidence.json(row.command)
      if not row.sim then return nil, err end
    end
    value, err = json.pick(row.sim, expr:sub(5))
  elseif expr:match('^h200[%[.]') and not row.case then
    err = expr .. ' wants a case'
  elseif expr:match('^h200%[') then
    value, err = evidence.h200_values(row.case, row.buffer or '0')
    if value then value, err = json.pick(value, expr:sub(5)) end
  elseif expr:match('^h200%.') then
    value, err = evidence.h200_timing(row.case, expr:sub(6))
  else
    err = expr .. ' is neither sim.… nor h200…'
  end
  if value == nil then return nil, ('%s: %s'):format(row.command or row.case, err) end
  local ok, result = pcall(arithmetic, value)
  if not ok then return nil, ('%s: %s is no number'):format(row.command or row.case, expr) end
  return result
end

return evidence
