# What an exchange between neighbour lanes costs: by shuffle, and through shared memory.
#
# run:    run chapters/code/09-shuffle-timed.cu --kernel time_{1} --block {2} --opt O3 cyc out:i32:{2}
# keys:   shuffle,32,1 shuffle,128,4 shuffle,512,16 shuffle,1024,32 shared_syncwarp,32,1 shared_syncwarp,128,4 shared_syncwarp,512,16 shared_syncwarp,1024,32 shared_syncthreads,32,1 shared_syncthreads,128,4 shared_syncthreads,512,16 shared_syncthreads,1024,32
# case:   09-shuffle-timed/time_{1}/W{3}
# column: span = h200.span_min / 64
# column: sim = sim.clock_span / 64
# alt:    Three curves over 1 to 32 warps, cycles for one exchange on an H200. The shuffle stays at 30 cycles up to 16 warps and takes 34 at 32. Shared memory with syncwarp begins at 34 and takes 66 at 32 warps. Shared memory with syncthreads begins at 56 and rises steadily to 179. Open circles, the simulator, lie near the curves.
eval canvas(760, 380)
set logscale x 2
set xrange [0.9:36]
set yrange [0:200]
set xtics (1, 2, 4, 8, 16, 32)
set xlabel "warps of the block"
set ylabel "cycles for one exchange"
set key noenhanced top left inside vertical Left reverse samplen 3
part(key, n) = word(join(key), n)
join(key) = (c = strstrt(key, ","), d = c + strstrt(key[c+1:*], ","), key[1:c-1] . " " . key[c+1:d-1] . " " . key[d+1:*])
x(key, way) = part(key, 1) eq way ? real(part(key, 3)) : NaN
ways = "shared_syncthreads shared_syncwarp shuffle"
titles = "'shared memory, __syncthreads() twice' 'shared memory, __syncwarp() twice' 'one shuffle'"
lines = "4 2 1"
plot for [i=1:3] data using (x(strcol("key"), word(ways, i))):"span" with linespoints lt word(lines, i) title word(titles, i), \
     for [i=1:3] data using (x(strcol("key"), word(ways, i))):"sim" with points lt word(lines, i) pt 6 ps 1.1 notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb grey title "the simulator"
