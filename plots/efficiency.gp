# SIMD efficiency of a kernel without branches, against the size of its blocks.
#
# run:   batch --module chapters/code/01-partition.cu
# cases: hello 1 {} 0 - out:i32:1024
# keys:  1..256
# alt:   A saw-tooth curve. It begins at 3 per cent with one thread in a block, reaches 100 per cent at every multiple of 32, and falls with the next thread: to 52 per cent at 33, to 68 at 65, to 76 at 97. Each drop is smaller than the one before.
eval canvas(760, 340)
set xrange [0:260]
set yrange [0:105]
set xtics 32
set ytics 25
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "threads in a block"
set ylabel "SIMD efficiency, %"
unset key
plot data using "id":(100 * column("simd_efficiency")) with lines lt 1
