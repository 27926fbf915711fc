-- figure.lua - what a figure shows: the head of plots/NAME.gp, and the data that its runs give now.
-- plots/draw draws that data; the book compares it with what was drawn. chapters/README.md shows the
-- head's fields.

local figure = {}

local evidence = require 'evidence'

-- "1..4 8,8 32..128/32" -> 1 2 3 4 8,8 32 64 96 128
local function expand(keys)
  local result = {}
  for word in keys:gmatch('%S+') do
    local from, to, step = word:match('^(%d+)%.%.(%d+)/?(%d*)$')
    if from and step ~= '0' then
      for n = tonumber(from), tonumber(to), tonumber(step) or 1 do result[#result + 1] = tostring(n) end
    else
      result[#result + 1] = word
    end
  end
  return result
end

-- The head of a figure's file: {name, run, args, keys, cases, case, buffer, alt, columns}, columns
-- {name, expr} each; nil and a message when something is missing.
function figure.read(name)
  local path = ('plots/%s.gp'):format(name)
  local text = evidence.read(path)
  if not text then return nil, ('there is no %s'):format(path) end
  local spec = {name = name, columns = {}}
  for loaded in text:gmatch('\nload "([^"]+)"') do evidence.read(loaded) end
  for key, value in ('\n' .. text):gmatch('\n# (%l+): *([^\n]*)') do
    if key == 'column' then
      local column, expr = value:match('^([%w_]+)%s*=%s*(.-)%s*$')
      if not column then return nil, ('%s: "# column: %s" is not NAME = sim.PATH or h200...'):format(path, value) end
      spec.columns[#spec.columns + 1] = {name = column, expr = expr}
    else
      spec[key] = spec[key] or value:match('^(.-)%s*$')
    end
  end
  for _, key in ipairs({'run', 'alt'}) do
    if not spec[key] or spec[key] == '' then return nil, ("%s has no line '# %s: ...'"):format(path, key) end
  end
  return spec
end

local function command_of(spec) return spec.args and spec.run .. ' ' .. spec.args or spec.run end

-- A value as gnuplot reads it: a mask "0x0000ffff" as a number, NaN where there is none.
local function cell(value)
  if value == nil then return 'NaN' end
  return tostring(type(value) == 'string' and math.tointeger(tonumber(value)) or value)
end

-- The rows of one key, tab-separated: one, or as many as the longest of its lists has members.
local function rows_of(spec, key, rows)
  local row = {command = evidence.fill(command_of(spec), key), case = evidence.fill(spec.case, key),
               buffer = spec.buffer}
  local values, count = {}, 1
  for i, column in ipairs(spec.columns) do
    local optional = column.expr:match('^(.-)%s*%?$')
    local value, err = evidence.value(optional or column.expr, row)
    if value == nil and optional then value = 'NaN' end
    if value == nil then return nil, err end
    values[i] = value
    if type(value) == 'table' then count = math.max(count, #value) end
  end
  for n = 1, count do
    local cells = {key ~= '' and key or tostring(n - 1)}
    for i, value in ipairs(values) do
      if type(value) == 'table' then value = value[n] end
      cells[i + 1] = cell(value)
    end
    rows[#rows + 1] = table.concat(cells, '\t')
  end
  return rows
end

local function columns_data(spec)
  local names = {'key'}
  for i, column in ipairs(spec.columns) do names[i + 1] = column.name end
  local rows = {table.concat(names, '\t')}
  for _, key in ipairs(spec.keys and expand(spec.keys) or {''}) do
    local ok, err = rows_of(spec, key, rows)
    if not ok then return nil, err end
  end
  return table.concat(rows, '\n') .. '\n'
end

-- One `warpsim batch` over a table with a case a key; its rows are the data.
local function cases_data(spec)
  local kernel, grid, block, smem, flags, args = spec.cases:match('^(%S+)%s+(%S+)%s+(%S+)%s+(%S+)%s+(%S+)%s+(.+)$')
  if not kernel or not spec.keys then
    return nil, ('plots/%s.gp: "# cases:" is KERNEL GRID BLOCK SHARED FLAGS ARGS..., and wants "# keys:"'):format(spec.name)
  end
  local template = table.concat({'{}', kernel, grid, block, smem, flags, args}, '\t')
  local rows = {'id\tkernel\tgrid\tblock\tdynamic_smem\tflags\targs'}
  for _, key in ipairs(expand(spec.keys)) do rows[#rows + 1] = evidence.fill(template, key) end
  local path = evidence.keep('cases', table.concat(rows, '\n') .. '\n', '.tsv')
  local result, err = evidence.checked((command_of(spec):gsub('^batch', 'batch ' .. path)))
  return result and result.out, err
end

-- A figure's data as text: what is drawn, under lines that say where it comes from. nil and a message
-- when a run fails.
function figure.data(spec)
  local text, err
  if spec.cases then
    text, err = cases_data(spec)
  elseif #spec.columns > 0 then
    text, err = columns_data(spec)
  else
    text, err = evidence.checked(command_of(spec))
    text = text and text.out
  end
  if not text then return nil, ("no data for '%s': %s"):format(spec.name, err) end
  local head = {'# warpsim ' .. command_of(spec)}
  for _, key in ipairs({'keys', 'cases', 'case'}) do
    if spec[key] then head[#head + 1] = ('# %s: %s'):format(key, spec[key]) end
  end
  for _, column in ipairs(spec.columns) do head[#head + 1] = ('# %s = %s'):format(column.name, column.expr) end
  return table.concat(head, '\n') .. '\n' .. text
end

return figure
