# Which lanes of a warp are still in a loop of 4 to 8 rounds.
#
# run:    run chapters/code/04-divergence.cu --kernel loop --block 32 --values out:u32:19
# args:   buf:i32:32:list:4,5,6,7,8
# column: mask = sim.buffers[0].values[2::2]
# alt:    Nine rows of 32 boxes. In rounds 1 to 4 all lanes are active. In round 5 every fifth lane is off, and in each further round as many more, until six lanes are left in round 8. In the last row, after the loop, all lanes are active.
row = "key"; mask = "mask"
eval lanes(9)
set ytics ("round 1" 0, "2" 1, "3" 2, "4" 3, "5" 4, "6" 5, "7" 6, "8" 7, "after" 8)
plot @lanes_on, @lanes_off
