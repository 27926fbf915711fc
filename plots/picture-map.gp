# The warps of a picture's blocks: full, cut by the edge, or wholly outside.
#
# run:    run chapters/code/05-boundary.cu --kernel picture_map --values out:u32:160 out:i32:2
# args:   --block 16,16 --grid 5,4 i32:76 i32:62
# column: mask = sim.buffers[0].values
# column: size = sim.buffers[1].values
# column: across = sim.grid[0]
# column: down = sim.grid[1]
# column: width = sim.block[0]
# column: height = sim.block[1]
# alt:    A picture of 76 by 62 pixels in five by four blocks of 16 by 16. Every block is cut into eight strips of two rows, its warps. The warps of the four columns at the left are full. Those of the fifth column stick out over the right edge and are divergent. The lowest strip of every block of the bottom row lies below the picture and is inactive.
stats data using "across" nooutput name "across"
stats data using "down" nooutput name "down"
stats data using "width" nooutput name "width"
stats data using "height" nooutput name "height"
stats data using (column("key") == 0 ? column("size") : NaN) nooutput name "w"
stats data using (column("key") == 1 ? column("size") : NaN) nooutput name "h"
warps = width_max * height_max / 32 # of a block
rows = 32 / width_max               # of a warp; blocks are up to 32 wide
scale = 8
eval canvas(scale * width_max * across_max + 90, scale * height_max * down_max + 90)
set xrange [-1:width_max*across_max+1]
set yrange [height_max*down_max+1:-1]
set border 0
set tics scale 0
set xtics width_max
set ytics height_max
set lmargin 5
set rmargin 2
set xlabel "x" offset 0,0.6
set ylabel "y" offset 1.5,0
set key outside top center horizontal samplen 1 reverse Left
block(key) = int(key) / int(warps)
warp_x(key) = (block(key) % int(across_max) + 0.5) * width_max
warp_y(key) = block(key) / int(across_max) * height_max + (int(key) % int(warps) + 0.5) * rows
kind(mask) = mask == 0 ? 2 : int(mask) == 0xffffffff ? 0 : 1
colour(k) = k == 0 ? sky : bright
set for [i=0:across_max] arrow from i*width_max, 0 to i*width_max, height_max*down_max nohead lw 1 lc rgb grey front
set for [i=0:down_max] arrow from 0, i*height_max to width_max*across_max, i*height_max nohead lw 1 lc rgb grey front
set arrow from w_min, 0 to w_min, h_min nohead lw 3.5 lc rgb dark front
set arrow from 0, h_min to w_min, h_min nohead lw 3.5 lc rgb dark front
set arrow from 0, 0 to w_min, 0 nohead lw 3.5 lc rgb dark front
set arrow from 0, 0 to 0, h_min nohead lw 3.5 lc rgb dark front
plot data using (warp_x(column("key"))):(warp_y(column("key"))):(kind(column("mask")) < 2 ? width_max/2.0-0.2 : NaN):(rows/2.0-0.15):(colour(kind(column("mask")))) @filled, \
     data using (warp_x(column("key"))):(warp_y(column("key"))):(kind(column("mask")) == 2 ? width_max/2.0-0.2 : NaN):(rows/2.0-0.15) @hollow, \
     keyentry with boxes fs solid 1 noborder lc rgb sky title "full", \
     keyentry with boxes fs solid 1 noborder lc rgb bright title "divergent", \
     keyentry with boxes lw 1 dt solid fs empty border lc rgb grey fc rgb grey title "inactive"
