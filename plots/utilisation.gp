# Issue slots used against resident warps on one SM of the textbook machine: 3 instructions, then 500 cycles.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --arch chapters/code/07-roomy.arch --kernel waits --block 32 --grid {} cyc out:i32:6400 buf:i32:1024:chain:32
# keys:   1 8 16 24 32 48 64 80 96 112 128 144 160 168 184 200
# column: used = sim.metrics['smsp__issue_active.avg.pct_of_peak_sustained_active']
# alt:    A curve that rises in a straight line from below 1 percent with one warp to 44 percent with 64 and 98 percent with 168, and then stays just below 100. A dotted line, 3 times the warps by 503, runs slightly below it.
eval canvas(760, 360)
set xrange [0:205]
set yrange [0:105]
set xlabel "resident warps"
set ylabel "issue slots used, %"
set key bottom right inside vertical Left reverse
set arrow from 64, 0 to 64, 105 nohead dt (4,4) lc rgb grey
set label "room on a real SM: 64" at 66, 8 font small
plot data using (column("key")):(column("used")) with linespoints lt 1 title "simulated", \
     100 * (3.0 * x / 503 < 1 ? 3.0 * x / 503 : 1) with lines lt 4 title "3 · warps / 503"
