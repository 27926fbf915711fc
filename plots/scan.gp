# An inclusive scan of 32 ones: what each lane holds at the start and after each of the five steps.
#
# run:    run chapters/code/10-reduce.cu --kernel scan_steps --block 32 --values
# args:   out:i32:192
# column: v = sim.buffers[0].values
# alt:    Six rows of 32 boxes with numbers. The first row is all ones. Lines join each box with the boxes of the row above that it adds: its own lane's, and that of the lane 1, then 2, 4, 8 and 16 below. Filled boxes hold their final number, lane plus one: the lowest 1, then 2, 4, 8, 16 and all 32 lanes. The others hold 1, 2, 4, 8, 16.
gap = 2.0
eval canvas(960, 400)
set xrange [-2.6:31.6]
set yrange [5*gap+0.6:-1.0]
set border 0
unset xtics
unset ytics
unset key
set lmargin 2
set rmargin 1
set tmargin 0.3
set bmargin 0.3
lane(k) = int(k) % 32
step(k) = int(k) / 32
distance(s) = (1 << int(s)) / 2
moved(k) = step(k) > 0 && lane(k) >= distance(step(k))
final(k, v) = v == lane(k) + 1 ? dark : sky
do for [s=1:5] { set label sprintf("%d", distance(s)) at -1.2, gap*(s - 0.5) right }
set label "distance" at -0.4, -0.75 right font small tc rgb grey
plot data using (moved(column("key")) ? lane(column("key")) : NaN):(gap*step(column("key"))-half):(-distance(step(column("key")))):(2*half-gap) notitle with vectors nohead dt solid lw 0.7 lc rgb grey, \
     data using (step(column("key")) > 0 ? lane(column("key")) : NaN):(gap*step(column("key"))-half):(0):(2*half-gap) notitle with vectors nohead dt solid lw 0.7 lc rgb grey, \
     data using (lane(column("key"))):(gap*step(column("key"))):(half):(half):(final(column("key"), column("v"))) @filled, \
     data using (lane(column("key"))):(gap*step(column("key"))):(sprintf("%d", column("v"))):(ink(final(column("key"), column("v")))) @inside, \
     data using (step(column("key")) == 0 && (lane(column("key")) % 4 == 0 || lane(column("key")) == 31) ? lane(column("key")) : NaN):(-0.75):(sprintf("%d", lane(column("key")))):(grey) @inside
