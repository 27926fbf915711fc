-- timeline.lua - the trace of a run as a picture that does not move, for the book as one file; the
-- site has the page that `warpsim run --trace` makes, which does.

local timeline = {}

local LEFT, WIDTH, ROW, BAR, MOST = 70, 640, 24, 16, 16 -- pixels; warps
local colours = {long_scoreboard = '#56b4e9', short_scoreboard = '#56b4e9', barrier = '#d55e00', membar = '#d55e00',
                 no_instruction = '#cccccc', selected = '#cccccc'}
local other = '#e6d98a'
local meanings = {{'#1b1d22', 'issues: as high as lanes are active'}, {'#56b4e9', 'waits for memory'},
                  {'#d55e00', 'at a barrier'}, {other, 'waits for a result or a branch'}, {'#cccccc', 'for its code or its turn'}}

-- The records of a trace as CSV: {block, warp, lanes, since, stall, cycle, slots} each.
local function read(csv)
  local records, columns = {}, nil
  for line in csv:gmatch('[^\n]+') do
    local cells = {}
    for cell in (line .. ','):gmatch('([^,]*),') do cells[#cells + 1] = cell end
    if columns then
      local record = {stall = cells[columns.stall]}
      for _, name in ipairs({'block', 'warp', 'active_lanes', 'since', 'cycle', 'slots'}) do
        record[name] = tonumber(cells[columns[name]]) or 0
      end
      records[#records + 1] = record
    else
      columns = {}
      for i, name in ipairs(cells) do columns[name] = i end
    end
  end
  return records
end

-- SVG text: a row for each warp, time to the right.
function timeline.svg(csv)
  local records, rows, names, last = read(csv), {}, {}, 1
  for _, record in ipairs(records) do
    local name = ('%d.%d'):format(record.block, record.warp)
    if not rows[name] and #names < MOST then
      names[#names + 1] = name
      rows[name] = #names
    end
    last = math.max(last, record.cycle + 1)
  end
  local scale, height = WIDTH / last, #names * ROW + 90
  local out = {('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">'):format(
    LEFT + WIDTH + 20, height, LEFT + WIDTH + 20, height)}
  local function add(text, ...) out[#out + 1] = text:format(...) end
  local function box(x, y, w, h, colour)
    add('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>', x, y, w, h, colour)
  end
  for row, name in ipairs(names) do add('<text x="4" y="%d">warp %s</text>', row * ROW - 8, name) end
  for _, record in ipairs(records) do
    local row = rows[('%d.%d'):format(record.block, record.warp)]
    if row and record.slots > 0 then
      local x, bottom = LEFT + record.since * scale, row * ROW - 4
      if record.cycle > record.since then
        box(x, bottom - BAR / 2, (record.cycle - record.since) * scale, BAR / 2, colours[record.stall] or other)
      end
      local high = BAR * record.active_lanes / 32
      box(LEFT + record.cycle * scale, bottom - high, math.max(0.6, record.slots * scale), high, '#1b1d22')
    end
  end
  local axis = #names * ROW + 2
  box(LEFT, axis, WIDTH, 1, '#555a64')
  local step = 10 ^ math.floor(math.log(last, 10))
  if last / step < 3 then step = step / 5 end
  for cycle = 0, last, step do
    add('<text x="%.1f" y="%d" text-anchor="middle">%d</text>', LEFT + cycle * scale, axis + 16, cycle)
  end
  add('<text x="%d" y="%d" text-anchor="middle">cycles</text>', LEFT + WIDTH // 2, axis + 32)
  local x, y = 4, axis + 54
  for _, meaning in ipairs(meanings) do
    local width = 26 + 6.8 * #meaning[2]
    if x + width > LEFT + WIDTH + 20 then x, y = 4, y + 18 end
    box(x, y - 10, 10, 10, meaning[1])
    add('<text x="%.1f" y="%d">%s</text>', x + 14, y, meaning[2])
    x = x + width
  end
  out[#out + 1] = '</svg>'
  return table.concat(out, '\n') .. '\n'
end

return timeline
