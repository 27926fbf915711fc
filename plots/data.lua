-- data.lua - writes the data of a figure, for plots/draw: pandoc runs it as a filter, for its Lua.
--
-- Environment: FIGURE, its name; ARGS and KEYS, what replaces those of its head, if not empty; OUT,
-- the folder that gets NAME.tsv and NAME.d.

package.path = 'chapters/filter/?.lua;' .. package.path
local figure, notes, evidence = require 'figure', require 'notes', require 'evidence'
local out = os.getenv('OUT') .. '/'

local function fail(message)
  io.stderr:write('plots: ', message, '\n')
  os.exit(2)
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
  notes.write(out .. name .. '.tsv', text)
  local target = ('%s/plots/%s.svg'):format(os.getenv('BUILD') or 'build', name)
  notes.write(out .. name .. '.d', notes.rule(target, evidence.list_inputs()))
  return pandoc.Pandoc({})
end
