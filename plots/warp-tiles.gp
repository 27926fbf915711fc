# The pixels that the warps of a block work on when a kernel gives each of them a tile.
#
# run:    run chapters/code/02-linearize.cu --kernel reshape --block 256 --values out:i32:256 out:i32:256
# column: x = sim.buffers[0].values
# column: y = sim.buffers[1].values
# alt:    A square of 16 by 16 boxes, one a pixel, with the number of its warp. Warp 0 has the upper left tile, 8 wide and 4 high, warp 1 the tile at its right, warp 2 the one below warp 0, and so on to warp 7 at the lower right.
eval grid(16, 16, 26)
warp(key) = int(key) / 32
set xtics 4
set ytics 4
set xlabel "x" offset 0,0.6
set ylabel "y" offset 1.5,0
unset key
plot data using "x":"y":(half):(half):(series(warp(column("key")))) @filled, \
     data using "x":"y":(sprintf("%d", warp(column("key")))):(ink(series(warp(column("key"))))) @inside
