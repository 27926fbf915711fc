# Six ways to add one number from each lane of a warp: cycles a sum on the H200.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/10-reduce-timed.cu --opt O3 --timing -
# args: --filter 10-reduce-timed/time_*
# alt:    Six curves over 1 to 32 warps that do the same at the same time, cycles a sum, both axes logarithmic. One instruction, redux, is lowest, from 65 to 83 cycles. The butterfly is flat near 163, down and broadcast near 192. The tree in shared memory rises from 231 to 575; one lane alone from 250 to 1146; and the shared atomic from 111 to 1104. Open circles, the simulator, lie near the curves.
eval canvas(760, 430)
set logscale x 2
set logscale y 2
set xrange [0.9:36]
set yrange [50:1400]
set xtics (1, 2, 4, 8, 16, 32)
set ytics (50, 100, 200, 400, 800)
set xlabel "warps of the block, each with a sum of its own"
set ylabel "cycles for one sum"
set key noenhanced top left inside vertical Left reverse samplen 3
set datafile missing NaN  # what is of another way joins no points
h200 = "sim/tests/hardware/h200/book-timing.tsv"
x(id, way) = strstrt(id, "10-reduce-timed/time_" . way . "/W") == 1 ? real(id[strlen("10-reduce-timed/time_" . way) + 3:*]) : NaN
ways = "alone atomic tree down butterfly redux"
titles = "'one lane adds, in shared memory' 'atomicAdd, in shared memory' 'tree, in shared memory' 'shuffle down, and broadcast' 'butterfly' 'the instruction redux'"
colour(i) = series(i == 6 ? 6 : i - 1)
plot for [i=1:6] h200 using (x(strcol("id"), word(ways, i))):(column("span_min")/16) with linespoints lw 2 dt i pt (2*i+1) ps 0.7 lc rgb colour(i) title word(titles, i), \
     for [i=1:6] data using (x(strcol("id"), word(ways, i))):(column("span_min")/16) with points pt 6 ps 1.1 lc rgb colour(i) notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
