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
