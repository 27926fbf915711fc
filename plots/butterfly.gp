# The butterfly sum: what each lane holds at the start and after each of the five steps.
#
# run:    run chapters/code/10-reduce.cu --kernel butterfly_steps --block 32 --values out:i32:192
# args:   buf:i32:32:iota
# column: v = sim.buffers[0].values
# alt:    Six rows of 32 boxes with numbers. The first row holds 0 to 31. Lines join each box with the two boxes of the row above that it adds: its own lane's and its partner's, at distance 16, then 8, 4, 2 and 1. After each step twice as many boxes hold the same number: pairs, fours, eights, sixteens; in the last row all 32 boxes hold 496.
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
tiny = form eq "svg" ? ",11" : ",16"
lane(k) = int(k) % 32
step(k) = int(k) / 32
distance(s) = 32 >> int(s)              # of the step that leads to row s
class(k) = lane(k) % distance(step(k))  # lanes of one class hold the same sum
colour(k) = step(k) < 2 ? sky : series(class(k))
do for [s=1:5] { set label sprintf("%d", distance(s)) at -1.2, gap*(s - 0.5) right }
set label "distance" at -0.4, -0.75 right font small tc rgb grey
plot data using (step(column("key")) > 0 ? lane(column("key")) : NaN):(gap*step(column("key"))-half):(0):(2*half-gap) notitle with vectors nohead dt solid lw 0.7 lc rgb grey, \
     data using (step(column("key")) > 0 ? lane(column("key")) : NaN):(gap*step(column("key"))-half):((lane(column("key")) ^ distance(step(column("key")))) - lane(column("key"))):(2*half-gap) notitle with vectors nohead dt solid lw 0.7 lc rgb grey, \
     data using (lane(column("key"))):(gap*step(column("key"))):(half):(half):(colour(column("key"))) @filled, \
     data using (lane(column("key"))):(gap*step(column("key"))):(sprintf("%d", column("v"))):(ink(colour(column("key")))) notitle with labels font tiny tc rgb variable, \
     data using (step(column("key")) == 0 && (lane(column("key")) % 4 == 0 || lane(column("key")) == 31) ? lane(column("key")) : NaN):(-0.75):(sprintf("%d", lane(column("key")))):(grey) @inside
