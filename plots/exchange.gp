# What an exchange between neighbour lanes costs: by shuffle, and through shared memory.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/09-shuffle-timed.cu --opt O3 --timing -
# args: --filter 09-shuffle-timed/time_*
# alt:    Three curves over 1 to 32 warps, cycles for one exchange on an H200. The shuffle stays at 30 cycles up to 16 warps and takes 34 at 32. Shared memory with syncwarp begins at 34 and takes 66 at 32 warps. Shared memory with syncthreads begins at 56 and rises steadily to 179. Open circles, the simulator, lie near the curves.
eval canvas(760, 380)
set logscale x 2
set xrange [0.9:36]
set yrange [0:200]
set xtics (1, 2, 4, 8, 16, 32)
set xlabel "warps of the block"
set ylabel "cycles for one exchange"
set key noenhanced top left inside vertical Left reverse samplen 3
set datafile missing NaN  # what is of another way joins no points
h200 = "sim/tests/hardware/h200/book-timing.tsv"
x(id, way) = strstrt(id, "09-shuffle-timed/time_" . way . "/W") == 1 ? real(id[strlen("09-shuffle-timed/time_" . way) + 3:*]) : NaN
ways = "shared_syncthreads shared_syncwarp shuffle"
titles = "'shared memory, __syncthreads() twice' 'shared memory, __syncwarp() twice' 'one shuffle'"
lines = "4 2 1"
plot for [i=1:3] h200 using (x(strcol("id"), word(ways, i))):(column("span_min")/64) with linespoints lt word(lines, i) title word(titles, i), \
     for [i=1:3] data using (x(strcol("id"), word(ways, i))):(column("span_min")/64) with points lt word(lines, i) pt 6 ps 1.1 notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
