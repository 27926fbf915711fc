# What switching would cost, if it cost something.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --arch textbook --kernel waits --scheduler grr --block {1} --switch-cost {2} cyc out:i32:{1} buf:i32:1024:chain:32
# keys:   512,0 512,1 512,2 512,5 512,10 512,20 512,50 512,100 512,200 512,500 512,1000 32,0 32,1000
# column: span = sim.clock_span
# alt:    On logarithmic axes, cycles of 16 warps against the cost of a switch from 1 to 1000 cycles: nearly flat up to a cost of 20, then rising in proportion to the cost. A horizontal line marks 16 times the cycles of a single warp, what 16 warps take one after the other; the curve crosses it at a cost of about 500 cycles.
eval canvas(760, 360)
set logscale xy
set xrange [0.7:1400]
set yrange [10000:4e6]
set format y "10^{%T}"
set xtics 10
set xlabel "cycles that a switch costs"
set ylabel "cycles"
set key top left inside vertical Left reverse samplen 3
cost(k) = real(k[strstrt(k, ",")+1:*])
threads(k) = real(k[1:strstrt(k, ",")-1])
stats data using (threads(strcol("key")) == 32 && cost(strcol("key")) == 0 ? column("span") : NaN) nooutput
alone = STATS_max
plot data using (threads(strcol("key")) == 512 && cost(strcol("key")) > 0 ? cost(strcol("key")) : NaN):(column("span")) with linespoints lt 1 title "16 warps, interleaved", \
     16 * alone with lines lt 4 title "16 warps, one after the other"
