# Which lanes of a warp are active when lanes go four ways in turn.
#
# run:    run chapters/code/04-divergence.cu --kernel ways --block 32 --values out:u32:13
# args:   i32:4
# column: mask = sim.buffers[0].values[2::2]
# alt:    Six rows of 32 boxes. All lanes are active at the start and at the end. In each of the four rows between, every fourth lane is active: lanes 0, 4, 8 and so on in the first, 1, 5, 9 in the second, 2, 6, 10 in the third, and 3, 7, 11 in the fourth.
row = "key"; mask = "mask"
eval lanes(6)
set ytics ("start" 0, "way 0" 1, "way 1" 2, "way 2" 3, "way 3" 4, "end" 5)
plot @lanes_on, @lanes_off
