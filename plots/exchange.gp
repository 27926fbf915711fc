# What an exchange between neighbour lanes costs: by shuffle, and through shared memory.
#
# run:    run
# keys:   shuffle,1 shuffle,2 shuffle,4 shuffle,8 shuffle,16 shuffle,32 shared_syncwarp,1 shared_syncwarp,2 shared_syncwarp,4 shared_syncwarp,8 shared_syncwarp,16 shared_syncwarp,32 shared_syncthreads,1 shared_syncthreads,2 shared_syncthreads,4 shared_syncthreads,8 shared_syncthreads,16 shared_syncthreads,32
# case:   09-shuffle-timed/time_{1}/W{2}
# column: span = h200.span_min / 64
# alt:    Three curves over 1 to 32 warps, cycles for one exchange on an H200. The shuffle stays at 30 cycles up to 16 warps and takes 34 at 32. Shared memory with syncwarp begins at 34 and takes 66 at 32 warps. Shared memory with syncthreads begins at 56 and rises steadily to 179.
eval canvas(760, 380)
set logscale x 2
set xrange [0.9:36]
set yrange [0:200]
set xtics (1, 2, 4, 8, 16, 32)
set xlabel "warps of the block"
set ylabel "cycles for one exchange"
set key noenhanced top left inside vertical Left reverse samplen 3
warps(key) = real(key[strstrt(key, ",")+1:*])
of(key, what) = key[1:strstrt(key, ",")-1] eq what
plot data using (of(strcol("key"), "shared_syncthreads") ? warps(strcol("key")) : NaN):"span" with linespoints lt 4 title "shared memory, __syncthreads() twice", \
     data using (of(strcol("key"), "shared_syncwarp") ? warps(strcol("key")) : NaN):"span" with linespoints lt 2 title "shared memory, __syncwarp() twice", \
     data using (of(strcol("key"), "shuffle") ? warps(strcol("key")) : NaN):"span" with linespoints lt 1 title "one shuffle"
