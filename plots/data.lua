-- data.lua - writes the data of a figure, for plots/draw: pandoc runs it as a filter, for its Lua.
--
-- Environment: FIGURE, its name; ARGS and KEYS, what replaces those of its head, if not empty; OUT,
-- the folder that gets NAME.tsv and NAME.d.

package.path = 'chapters/filter/?.lua;' .. package.path
local figure = require 'figure'

local function fail(message)
  io.stderr:write('plots: ', message, '\n')
  os.exit(2)
end

local function write(name, text)
  local file = assert(io.open(os.getenv('OUT') .. '/' .. name, 'w'))
  file:write(text)
  file:close()
end

function Pandoc()
  local name = os.getenv('FIGURE')
  local spec, err = figure.read(name)
  if not spec then fail(err) end
  for field, own in pairs({args = os.getenv('ARGS') or '', keys = os.getenv('KEYS') or ''}) do
    if own ~= '' then spec[field] = own end
  end
  local text, why = figure.data(spec)
  if not text then fail(why) end
  write(name .. '.tsv', text)
  write(name .. '.d', figure.rule(name))
  return pandoc.Pandoc({})
end
