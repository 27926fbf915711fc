# Which lanes of a warp are active in each pass of an if/else, and after it.
#
# run:    run chapters/code/04-divergence.cu --kernel two_paths --block 32 --values out:u32:9
# args:   i32:24
# column: mask = sim.buffers[0].values[2::2]
# alt:    Four rows of 32 boxes, one for each step of a warp. At the start all lanes are active. In the row A, lanes 0 to 23 are active and 24 to 31 are off; in the row B it is the other way round. In the row C, all lanes are active again.
row = "key"; mask = "mask"
eval lanes(4)
set ytics ("start" 0, "A" 1, "B" 2, "C" 3)
plot @lanes_on, @lanes_off
