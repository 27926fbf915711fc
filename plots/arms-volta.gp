# The order of two paths of three steps, with a program counter a lane, in an adversarial order.
#
# run:    run chapters/code/06-independent.cu --kernel arms --block 32 --values out:u32:17
# args:   --schedule random:4
# column: path = sim.buffers[0].values[1::2]
# column: mask = sim.buffers[0].values[2::2]
# alt:    Eight rows of 32 boxes. First lanes 16 to 31 do step 4; then lanes 0 to 15 do steps 1 and 2; then four lanes of them do step 3, and after that the other twelve; then lanes 16 to 31 do steps 5 and 6; and all lanes do step 7.
row = "key"; mask = "mask"
stats data using "key" nooutput name "key"
eval lanes(key_max + 1)
unset ytics
set ytics () nomirror scale 0 offset 0.8,0
set ylabel "step" offset 1.5,0
plot @lanes_on, @lanes_off, data using (0):"key":ytic(sprintf("%d", column("path"))) with points ps 0 notitle
