# Six ways to add one number from each lane of a warp: cycles a sum on the H200.
#
# run:    run chapters/code/10-reduce-timed.cu --kernel time_{1} --block {2} --opt O3 cyc out:i32:{2} buf:i32:32:mod:7
# keys:   alone,32,1 alone,128,4 alone,512,16 alone,1024,32 tree,32,1 tree,128,4 tree,512,16 tree,1024,32 down,32,1 down,128,4 down,512,16 down,1024,32 butterfly,32,1 butterfly,128,4 butterfly,512,16 butterfly,1024,32 atomic,32,1 atomic,128,4 atomic,512,16 atomic,1024,32 redux,32,1 redux,128,4 redux,512,16 redux,1024,32
# case:   10-reduce-timed/time_{1}/W{3}
# column: span = h200.span_min / 16
# column: sim = sim.clock_span / 16
# alt:    Six curves over 1 to 32 warps that do the same at the same time, cycles a sum, both axes logarithmic. One instruction, redux, is lowest, from 65 to 83 cycles. The butterfly is flat near 163, down and broadcast near 192. The tree in shared memory rises from 231 to 575; one lane alone from 250 to 1146; and the shared atomic from 111 to 1104. Open circles, the simulator, lie near the curves; for 32 warps with shuffles they lie up to two thirds too high.
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
part(key, n) = word(join(key), n)
join(key) = (c = strstrt(key, ","), d = c + strstrt(key[c+1:*], ","), key[1:c-1] . " " . key[c+1:d-1] . " " . key[d+1:*])
x(key, way) = part(key, 1) eq way ? real(part(key, 3)) : NaN
ways = "alone atomic tree down butterfly redux"
titles = "'one lane adds, in shared memory' 'atomicAdd, in shared memory' 'tree, in shared memory' 'shuffle down, and broadcast' 'butterfly' 'the instruction redux'"
colour(i) = series(i == 6 ? 6 : i - 1)
plot for [i=1:6] data using (x(strcol("key"), word(ways, i))):"span" with linespoints lw 2 dt i pt (2*i+1) ps 0.7 lc rgb colour(i) title word(titles, i), \
     for [i=1:6] data using (x(strcol("key"), word(ways, i))):"sim" with points pt 6 ps 1.1 lc rgb colour(i) notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
