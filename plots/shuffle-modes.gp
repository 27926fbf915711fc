# The four shuffles: an arrow from the lane whose value is read to the lane that reads it.
#
# run:    run chapters/code/09-shuffle.cu --kernel four_modes --block 32 --values out:i32:32 out:i32:32 out:i32:32 out:i32:32
# args:   i32:2 i32:8
# column: idx = sim.buffers[0].values
# column: up = sim.buffers[1].values
# column: down = sim.buffers[2].values
# column: xor = sim.buffers[3].values
# alt:    Four pairs of rows of sixteen boxes, lanes 0 to 15 above, what each lane receives below, and arrows from the lane that is read. Indexed, with argument 2 and width 8: lanes 0 to 7 all read lane 2, lanes 8 to 15 all read lane 10. Up by 2: each lane reads the lane two below it, and the first two of each eight keep their own value. Down by 2: each reads the lane two above, and the last two of each eight keep their own. Xor 2: lanes swap in pairs, 0 with 2, 1 with 3, 4 with 6, 5 with 7, and so on.
lanes = 16
gap = 2.3     # between the two rows of a pair
pair = 4.5    # from one pair to the next
eval canvas(760, 640)
set xrange [-1.9:lanes-0.4]
set yrange [3*pair+gap+0.6:-0.6]
set border 0
unset xtics
unset ytics
unset key
set lmargin 5
set rmargin 1
set tmargin 0.5
set bmargin 0.5
names = "idx up down xor"
top(m) = m * pair
own(m, lane) = m > 0 && column(word(names, m + 1)) == lane  # out of the segment: it keeps its own
segment(lane) = series(int(lane) / 8)
do for [m=0:3] {
  set label word(names, m + 1) at -1.0, top(m) + gap/2 right
  set label "has" at -0.75, top(m) right font small tc rgb grey
  set label "gets" at -0.75, top(m) + gap right font small tc rgb grey
}
here(lane) = lane < lanes ? lane : NaN
plot for [m=0:3] data using (here(column("key"))):(top(m)):(half):(half):(segment(column("key"))) @filled, \
     for [m=0:3] data using (here(column("key"))):(top(m)):(sprintf("%d", column("key"))):(ink(segment(column("key")))) @inside, \
     for [m=0:3] data using (own(m, column("key")) ? NaN : here(column("key"))):(top(m)+gap):(half):(half):(segment(column(word(names, m+1)))) @filled, \
     for [m=0:3] data using (own(m, column("key")) ? here(column("key")) : NaN):(top(m)+gap):(half):(half) @hollow, \
     for [m=0:3] data using (here(column("key"))):(top(m)+gap):(sprintf("%d", column(word(names, m+1)))):(own(m, column("key")) ? grey : ink(segment(column("key")))) @inside, \
     for [m=0:3] data using (own(m, column("key")) ? NaN : here(column("key")) - column("key") + column(word(names, m+1))):(top(m)+half+0.08):(column("key") - column(word(names, m+1))):(gap - 2*half - 0.16) \
       notitle with vectors head filled size 0.18,20 dt solid lc rgb dark lw 1
