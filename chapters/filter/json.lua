-- json.lua - reads JSON text, and picks a part of it by a path.
--
-- A path is what one would write in JavaScript, with Python's slices: warps, partition[8].active,
-- partition[-1].mask, buffers[0].values[2::3], metrics['dram__bytes.sum'], and [key=max_warps_per_sm].value
-- (the member whose key is that).

local json = {}

local escapes = {b = '\b', f = '\f', n = '\n', r = '\r', t = '\t', ['"'] = '"', ['\\'] = '\\', ['/'] = '/'}
local words = {['true'] = true, ['false'] = false, null = 'null'}

local value -- function(text, at) -> value, position after it; an error() where the text is wrong

local function blank(text, at) return text:find('[^%s]', at) or #text + 1 end

local function fail(text, at) error(('no JSON at byte %d: %s'):format(at, text:sub(at, at + 20)), 0) end

local function string_at(text, at)
  local parts = {}
  at = at + 1
  while true do
    local stop = text:find('["\\]', at) or fail(text, at)
    parts[#parts + 1] = text:sub(at, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local c = text:sub(stop + 1, stop + 1)
    if c == 'u' then
      parts[#parts + 1] = utf8.char(tonumber(text:sub(stop + 2, stop + 5), 16) or fail(text, stop))
      at = stop + 6
    else
      parts[#parts + 1] = escapes[c] or fail(text, stop)
      at = stop + 2
    end
  end
end

-- The members of an array or an object, up to the closing character.
local function members(text, at, close, member)
  at = blank(text, at + 1)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = blank(text, member(at))
    local c = text:sub(at, at)
    at = blank(text, at + 1)
    if c == close then return at end
    if c ~= ',' then fail(text, at - 1) end
  end
end

function value(text, at)
  at = blank(text, at)
  local c = text:sub(at, at)
  if c == '"' then return string_at(text, at) end
  local result = {}
  if c == '[' then
    return result, members(text, at, ']', function(from)
      result[#result + 1], from = value(text, from)
      return from
    end)
  elseif c == '{' then
    return result, members(text, at, '}', function(from)
      local name, colon = string_at(text, from)
      colon = blank(text, colon)
      if text:sub(colon, colon) ~= ':' then fail(text, colon) end
      result[name], from = value(text, colon + 1)
      return from
    end)
  end
  local word = text:match('^[%w.+-]+', at) or fail(text, at)
  local v = words[word]
  if v == nil then v = tonumber(word) end
  if v == nil then fail(text, at) end
  return v, at + #word
end

-- The value of a JSON text; nil and a message when it is none.
function json.parse(text)
  local ok, result, after = pcall(value, text, 1)
  if not ok then return nil, result end
  if blank(text, after) <= #text then return nil, 'text after the end of the JSON' end
  return result
end

-- The first member of an array of objects in which `name` is `text`.
local function find(array, name, text)
  for _, member in ipairs(array) do
    if type(member) == 'table' and tostring(member[name]) == text then return member end
  end
end

local function slice(array, from, to, step)
  local n, result = #array, {}
  step = tonumber(step) or 1
  from, to = tonumber(from) or 0, tonumber(to) or n
  if from < 0 then from = from + n end
  if to < 0 then to = to + n end
  if step < 1 then return result end
  for i = from, math.min(to, n) - 1, step do result[#result + 1] = array[i + 1] end
  return result
end

-- The part of `v` at `path`; nil and a message when there is none.
function json.pick(v, path)
  local rest = path
  while rest ~= '' do
    local name, index = rest:match('^%.?([%a_][%w_]*)') or rest:match("^%['([^']+)'%]"), rest:match('^%[(-?%d+)%]')
    local from, to, step = rest:match('^%[(-?%d*):(-?%d*):?(%d*)%]')
    local key, text = rest:match('^%[(%a[%w_]*)=([^%]]*)%]')
    if type(v) ~= 'table' then return nil, ('%s has no part %s'):format(path, rest) end
    if name then
      v, rest = v[name], rest:sub(1, 1) == '[' and rest:gsub('^%b[]', '') or rest:gsub('^%.?[%a_][%w_]*', '')
    elseif index then
      index = tonumber(index)
      v, rest = v[index < 0 and #v + index + 1 or index + 1], rest:gsub('^%b[]', '')
    elseif key then
      v, rest = find(v, key, text), rest:gsub('^%b[]', '')
    elseif from then
      v, rest = slice(v, from, to, step), rest:gsub('^%b[]', '')
    else
      return nil, ('%s is not a path: what is %s?'):format(path, rest)
    end
    if v == nil then return nil, ('there is no %s'):format(path) end
  end
  return v
end

return json
