# One instruction, 32 sets of operands: add r1, r2, r3 in all lanes of a warp.
#
# run:    run chapters/code/03-simd.cu --kernel one_add --block 32 --values out:i32:32 out:i32:32
# args:   out:i32:32
# column: r1 = sim.buffers[0].values
# column: r2 = sim.buffers[1].values
# column: r3 = sim.buffers[2].values
# alt:    A wide box on top, the control unit, holds one instruction, add r1, r2, r3. From it an arrow goes down to each of 32 columns, one a lane. Each column has three boxes with its own numbers: r2 is ten times the lane, r3 the lane squared, and r1 their sum. Lane 0 adds 0 and 0, lane 1 adds 10 and 1, lane 31 adds 310 and 961 to 1271.
eval canvas(960, 250)
set xrange [-1.9:31.6]
set yrange [4.65:-2.6]
set border 0
unset xtics
unset ytics
unset key
set lmargin 1
set rmargin 1
set tmargin 0.3
set bmargin 0.3
tiny = form eq "svg" ? ",10" : ",14"
set object 1 rectangle from -0.5, -2.3 to 31.5, -1.2 fs solid 1 noborder fc rgb bright
set label "control unit:   add r1, r2, r3" at 15.5, -1.75 center front tc rgb 0x111111
set label "r2" at -0.7, 1 right
set label "r3" at -0.7, 2 right
set label "r1" at -0.7, 3.3 right
set label "lane" at -0.7, 0.1 right font small tc rgb grey
row(n) = word("1 2 3.3", n) + 0
plot data using "key":(-1.1):(0):(0.75) notitle with vectors head filled size 0.2,20 dt solid lw 1 lc rgb bright, \
     data using "key":(0.1):(sprintf("%d", column("key"))):(grey) @inside, \
     for [n=1:2] data using "key":(row(n)):(half):(half):(sky) @filled, \
     data using "key":(row(3)):(half):(half):(dark) @filled, \
     for [n=1:3] data using "key":(row(n)):(sprintf("%d", column(word("r2 r3 r1", n)))):(n == 3 ? 0xffffff : 0x111111) notitle with labels font tiny tc rgb variable
