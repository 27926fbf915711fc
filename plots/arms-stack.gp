# The order of two paths of three steps, with one program counter a warp.
#
# run:    run chapters/code/06-independent.cu --kernel arms --block 32 --values out:u32:15
# args:   --model stack
# column: path = sim.buffers[0].values[1::2]
# column: mask = sim.buffers[0].values[2::2]
# alt:    Seven rows of 32 boxes. In the first three, steps 1, 2 and 3, lanes 0 to 15 are active; in the next three, steps 4, 5 and 6, lanes 16 to 31; in the last, step 7, all.
load "plots/arms-volta.gp"
