# A barrier of a block by its number of warps, on an H200.
#
# run:    run
# keys:   1 2 3 4 5 6 8 10 12 16 20 24 28 32
# case:   chain_syncthreads/W{}
# column: span = h200.span_min
# alt:    Cycles for one barrier against 1 to 32 warps: a straight line from 14 cycles with one warp to 75 with 32. A dotted line, 12 plus twice the number of warps, lies on it.
eval canvas(760, 330)
set xrange [0:33]
set yrange [0:85]
set xlabel "warps of the block"
set ylabel "cycles for one __syncthreads" noenhanced
set key top left inside vertical Left reverse samplen 3 noenhanced
plot data using "key":(column("span")/64) with points lt 1 ps 0.9 title "H200", 12 + 2*x with lines lt 4 title "12 + 2 · warps"
