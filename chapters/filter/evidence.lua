-- evidence.lua - where the book's numbers come from: runs of the simulator, and the H200's tables.
--
-- A run is kept under BUILD/book-cache/runs by the hash of everything that it depends on: the
-- command, the simulator, its headers and architectures, the compiler, and the files that the
-- command names together with what those include. A run that did not end by itself is not kept.

local evidence = {
  inputs = {}, -- the files that were used, for the makefile
  ran = {},    -- the files that a run named
}

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

local function shell(script, ...) return pandoc.pipe('sh', {'-c', script, 'sh', ...}, '') end

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

local engine_hash
local function engine()
  engine_hash = engine_hash or shell([[
    { cat "$1/warpsim" && find sim/cuda sim/arch -type f | LC_ALL=C sort | xargs cat &&
      "${CLANG:-clang}" --version; } | sha1sum]], build)
  return engine_hash
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

-- Runs `warpsim COMMAND` from the top of the repository: {status, out, err}.
function evidence.run(command)
  local words = split(command)
  local parts = {engine(), table.concat(words, '\0')}
  for _, word in ipairs(words) do
    evidence.ran[word] = true
    add_file(parts, word)
  end
  local name = runs .. pandoc.utils.sha1(table.concat(parts, '\0'))
  local status = read(name .. '.status')
  if not status then
    local tmp = name .. '.' .. tostring({}):match('0x(%x+)')
    status = shell([[
      tmp=$1 limit=$2 build=$3; shift 3; mkdir -p "${tmp%/*}"
      timeout "$limit" "$build/warpsim" "$@" >"$tmp.out" 2>"$tmp.err" </dev/null; echo $?]],
      tmp, SECONDS, build, table.unpack(words))
    local keep = tonumber(status) < 4
    local result = {status = tonumber(status), out = read(tmp .. '.out'), err = read(tmp .. '.err')}
    shell(keep and [[mv "$1.out" "$2.out" && mv "$1.err" "$2.err" && echo "$3" >"$2.status"]]
            or [[rm -f "$1".*]], tmp, name, (status:gsub('%s', '')))
    return result
  end
  return {status = tonumber(status), out = read(name .. '.out'), err = read(name .. '.err')}
end

local function cells(line)
  local result = {}
  for cell in (line .. '\t'):gmatch('([^\t]*)\t') do result[#result + 1] = cell end
  return result
end

local function starts(line, prefix) return line:sub(1, #prefix) == prefix end

-- The values of a buffer of a case on the H200, as numbers; nil when there is no such case.
function evidence.h200_values(id, buffer)
  local path = tables .. 'h200/values.tsv'
  evidence.inputs[path] = true
  for line in io.lines(path) do
    if starts(line, id .. '\t' .. buffer .. '\t') then
      local values = {}
      for word in cells(line)[4]:gmatch('%S+') do values[#values + 1] = tonumber(word) or word end
      return values
    end
  end
  return nil, ('the H200 has no values for %s, buffer %s'):format(id, buffer)
end

-- A column of the H200's table of cycles for a case: span_min, span_median, warp_mean or regs.
function evidence.h200_timing(id, column)
  local path, wanted = tables .. 'h200/timing.tsv', nil
  evidence.inputs[path] = true
  for line in io.lines(path) do
    if starts(line, '#') then -- a comment
    elseif not wanted then
      for i, name in ipairs(cells(line)) do if name == column then wanted = i end end
      if not wanted then return nil, ('%s has no column %s'):format(path, column) end
    elseif starts(line, id .. '\t') then
      return tonumber(cells(line)[wanted])
    end
  end
  return nil, ('the H200 has no time for %s'):format(id)
end

return evidence
