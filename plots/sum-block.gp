# Adding the numbers of a block: by warps and by a tree in shared memory, on the H200.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/10-reduce-timed.cu --opt O3 --timing -
# args: --filter 10-reduce-timed/time_block_*
# alt:    Three curves over blocks of 32 to 1024 threads, cycles a sum. The tree in shared memory rises from 450 to 1673 cycles. Warps with shuffles stay near 384 and take 469 at 1024 threads. Warps with the redux instruction begin at 173 and take 261. Open circles, the simulator, lie near the curves.
eval canvas(760, 380)
set logscale x 2
set xrange [29:1150]
set yrange [0:1800]
set xtics (32, 64, 128, 256, 512, 1024)
set xlabel "threads of the block"
set ylabel "cycles for one sum"
set key noenhanced top left inside vertical Left reverse samplen 3
set datafile missing NaN  # what is of another way joins no points
h200 = "sim/tests/hardware/h200/book-timing.tsv"
x(id, way) = strstrt(id, "10-reduce-timed/time_block_" . way . "/W") == 1 ? 32*real(id[strlen("10-reduce-timed/time_block_" . way) + 3:*]) : NaN
ways = "tree warps redux"
titles = "'tree in shared memory' 'warps with shuffles, then one warp' 'the same with redux'"
lines = "4 1 3"
plot for [i=1:3] h200 using (x(strcol("id"), word(ways, i))):(column("span_min")/16) with linespoints lt word(lines, i) title word(titles, i), \
     for [i=1:3] data using (x(strcol("id"), word(ways, i))):(column("span_min")/16) with points lt word(lines, i) pt 6 ps 1.1 notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
