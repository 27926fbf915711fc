# Adding the numbers of a block: by warps and by a tree in shared memory, on the H200.
#
# run:    run chapters/code/10-reduce-timed.cu --kernel time_block_{1} --block {2} --opt O3 cyc out:i32:{2} buf:i32:32:mod:7
# keys:   tree,32,1 tree,128,4 tree,512,16 tree,1024,32 warps,32,1 warps,128,4 warps,512,16 warps,1024,32 redux,32,1 redux,128,4 redux,512,16 redux,1024,32
# case:   10-reduce-timed/time_block_{1}/W{3}
# column: span = h200.span_min / 16
# column: sim = sim.clock_span / 16
# alt:    Three curves over blocks of 32 to 1024 threads, cycles a sum. The tree in shared memory rises from 450 to 1673 cycles. Warps with shuffles stay near 384 and take 469 at 1024 threads. Warps with the redux instruction begin at 173 and take 261. Open circles, the simulator, lie near the curves.
eval canvas(760, 380)
set logscale x 2
set xrange [29:1150]
set yrange [0:1800]
set xtics (32, 64, 128, 256, 512, 1024)
set xlabel "threads of the block"
set ylabel "cycles for one sum"
set key noenhanced top left inside vertical Left reverse samplen 3
part(key, n) = word(join(key), n)
join(key) = (c = strstrt(key, ","), d = c + strstrt(key[c+1:*], ","), key[1:c-1] . " " . key[c+1:d-1] . " " . key[d+1:*])
x(key, way) = part(key, 1) eq way ? real(part(key, 2)) : NaN
ways = "tree warps redux"
titles = "'tree in shared memory' 'warps with shuffles, then one warp' 'the same with redux'"
lines = "4 1 3"
plot for [i=1:3] data using (x(strcol("key"), word(ways, i))):"span" with linespoints lt word(lines, i) title word(titles, i), \
     for [i=1:3] data using (x(strcol("key"), word(ways, i))):"sim" with points lt word(lines, i) pt 6 ps 1.1 notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
