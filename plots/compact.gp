# Compaction by ballot: the lanes whose number is positive, and the places to which they write it.
#
# run:    run chapters/code/09-shuffle.cu --kernel compact --block 32 --values out:i32:32 out:i32:1
# args:   buf:i32:32:list:3,-1,4,-1,5,-9,2,6,-5,3,5,-8,9,-7,9,3,-2,3,8,-4,6,-2,6,4,-3,3,8,-3,2,-7,9,5:out
# column: in = sim.buffers[2].values
# column: out = sim.buffers[0].values
# alt:    Two rows of 32 boxes. Above, each lane's number; the positive ones are filled, the others hollow. Below, the output: the positive numbers stand without gaps from place 0 on, in the same order. An arrow leads from each kept number to its place; the arrows never cross.
stats data using (column("in") > 0 ? 1 : 0) nooutput name "keep"
total = keep_sum
eval canvas(860, 210)
set xrange [-2.2:31.6]
set yrange [4.0:-1.3]
set border 0
unset xtics
unset ytics
unset key
set lmargin 4
set rmargin 1
set tmargin 0.3
set bmargin 0.3
set label "in" at -0.9, 0 right
set label "out" at -0.9, 3 right
place(v) = v > 0 ? (kept = kept + 1, kept - 1) : NaN
set label "lane" at -0.9, -0.9 right font small tc rgb grey
plot data using "key":(-0.9):(int(column("key")) % 4 == 0 || column("key") == 31 ? sprintf("%d", column("key")) : ""):(grey) @inside, \
     data using (column("in") > 0 ? column("key") : NaN):(0):(half):(half):(dark) @filled, \
     data using (column("in") > 0 ? NaN : column("key")):(0):(half):(half) @hollow, \
     data using "key":(0):(sprintf("%d", column("in"))):(column("in") > 0 ? ink(dark) : grey) @inside, \
     data using (column("key") < total ? column("key") : NaN):(3):(half):(half):(dark) @filled, \
     data using (column("key") < total ? NaN : column("key")):(3):(half):(half) @hollow, \
     data using (column("key") < total ? column("key") : NaN):(3):(sprintf("%d", column("out"))):(ink(dark)) @inside, \
     kept = 0, \
     data using (column("in") > 0 ? column("key") : NaN):(half+0.08):(p = place(column("in")), p - column("key")):(3 - 2*half - 0.2) \
       notitle with vectors head filled size 0.25,20 dt solid lc rgb dark lw 1
