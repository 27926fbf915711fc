# plots/style.gp - one look for every figure. plots/draw loads it before the figure's own file, and
# sets: data, the figure's data file; form, "svg" or "png"; file, where the picture goes. A figure
# calls `eval canvas(WIDTH, HEIGHT)`, in pixels, before it plots.
#
# Colours are those of Okabe and Ito, which readers with any kind of colour vision tell apart. They
# also differ in lightness, and lines differ in dashes, so that nothing is lost in grey print.
set datafile separator "\t"
set datafile commentschars "#"
set datafile columnheaders
set encoding utf8

canvas(w, h) = (form eq "svg" \
  ? sprintf("set terminal svg size %d,%d dynamic font 'sans-serif,15' linewidth 1", w, h) \
  : sprintf("set terminal pngcairo size %d,%d font 'DejaVu Sans,22' linewidth 2 background 'white'", 2*w, 2*h)) \
  . sprintf("; set output '%s'", file)

small = sprintf(",%d", form eq "svg" ? 13 : 19) # the font of secondary text

dark   = 0x0072b2 # blue: what is there, the first series
bright = 0xe69f00 # orange: the second series
green  = 0x009e73
red    = 0xd55e00 # what is lost or wrong
sky    = 0x56b4e9
grey   = 0x808080 # idle lanes, grids
set linetype 1 lc rgb dark   lw 2 pt 7  ps 0.6
set linetype 2 lc rgb bright lw 2 pt 5  ps 0.6 dt (12,4)
set linetype 3 lc rgb green  lw 2 pt 9  ps 0.7 dt (4,4)
set linetype 4 lc rgb red    lw 2 pt 11 ps 0.7 dt (12,4,2,4)
set linetype 5 lc rgb sky    lw 2 pt 13 ps 0.7 dt (2,3)

set border 3 lw 1
set tics out nomirror scale 0.5
set key outside top center horizontal

# ---- grids of cells --------------------------------------------------------------------------------
#
# A cell is a box of side 2*half around a whole-numbered place; rows count downwards from 0.
#
#   eval grid(COLUMNS, ROWS, SIDE)     canvas and axes for a grid; SIDE: a cell's side in pixels
#   eval lanes(ROWS)                   the same for rows of 32 lanes
#   plot data using (x):(y):(half):(half):(colour) @filled   boxes filled with a colour
#   plot data using (x):(y):(half):(half) @hollow            boxes of lanes that are off
#   plot data using (x):(y):(text):(ink(colour)) @inside     text in the boxes
#
# `series(k)` is the colour of the k-th series, from 0; `ink(colour)` one that can be read upon it.
# A column of masks makes a row of lanes each, drawn by the two macros
#
#   plot @lanes_on, @lanes_off         with the strings row and mask set to columns' names
half = 0.41
series(k) = word("0x0072b2 0xe69f00 0x009e73 0xd55e00 0x56b4e9 0xf0e442 0xcc79a7 0x808080", 1 + (int(k) % 8)) + 0
ink(colour) = (colour == dark || colour == red || colour == green || colour == grey) ? 0xffffff : 0x111111
on(mask, lane) = (int(mask) >> int(lane)) & 1

filled = "notitle with boxxyerror lc rgb variable dt solid fs solid 1 noborder"
hollow = "notitle with boxxyerror lw 1 dt solid fs empty border lc rgb grey fc rgb grey"
inside = "notitle with labels font small tc rgb variable"

grid(columns, rows, side) = canvas(side * columns + 130, side * rows + 100) \
  . sprintf("; set xrange [-0.6:%g]; set yrange [%g:-0.6]", columns - 0.4, rows - 0.4) \
  . "; set border 0; set tics scale 0; set lmargin 8; set rmargin 3; set tmargin 2.4; set bmargin 3.2" \
  . "; set xtics 1 offset 0,0.4; set ytics 1 offset 0.8,0"
lanes(rows) = grid(32, rows, 20.5) \
  . "; set xtics ('0' 0, '4' 4, '8' 8, '12' 12, '16' 16, '20' 20, '24' 24, '28' 28, '31' 31) offset 0,0.4" \
  . "; set xlabel 'lane' offset 0,0.6; set key at graph 0.5, screen 0.99 center top horizontal samplen 1 width 1 reverse Left"

lanes_on  = "for [l=0:31] data using (l):row:(on(column(mask),l) ? half : NaN):(half) " \
  . "with boxxyerror dt solid fs solid 1 border lc rgb dark fc rgb dark notitle, " \
  . "keyentry with boxes fs solid 1 border lc rgb dark fc rgb dark title 'active'"
lanes_off = "for [l=0:31] data using (l):row:(on(column(mask),l) ? NaN : half):(half) " . hollow . ", " \
  . "keyentry with boxes lw 1 dt solid fs empty border lc rgb grey fc rgb grey" . " title 'off'"
