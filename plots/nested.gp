# Which lanes of a warp are active in a branch within a branch.
#
# run:    run chapters/code/04-divergence.cu --kernel nested --block 32 --values out:u32:11
# column: mask = sim.buffers[0].values[2::2]
# alt:    Five rows of 32 boxes, steps 1 to 5. In step 1, lanes 0 to 3 are active; in step 2, lanes 4 to 15; in step 3, lanes 0 to 15 together; in step 4, lanes 16 to 31; in step 5, all.
row = "key"; mask = "mask"
eval lanes(5)
set ytics ("1" 0, "2" 1, "3" 2, "4" 3, "5" 4)
set ylabel "step" offset 1.5,0
plot @lanes_on, @lanes_off
