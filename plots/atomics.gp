# Atomic additions that return the old value, by where and on how many words.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/11-sync-timed.cu --opt O3 --timing -
# args: --filter 11-sync-timed/*_*
# alt:    Four curves of cycles for one atomic addition against 1 to 32 warps, on a logarithmic axis. In shared memory, each lane on a word of its own: about 26 up to 16 warps, 34 at 32. All on one word: 278, and 374 at 32. In global memory: about 510, nearly flat, if each lane has its own word, and 520 to 760 if all share one.
eval canvas(760, 400)
set logscale x 2
set logscale y
set xrange [0.9:36]
set yrange [10:4000]
set xtics (1, 2, 4, 8, 16, 32)
set xlabel "warps of the block"
set ylabel "cycles for one atomicAdd"
set key top left inside vertical Left reverse samplen 3 noenhanced maxrows 3
set datafile missing NaN
h200 = "sim/tests/hardware/h200/book-timing.tsv"
at(id, way) = strstrt(id, "11-sync-timed/" . way . "/W") == 1 ? real(id[strlen("11-sync-timed/" . way) + 3:*]) : NaN
ways = "global_same global_own shared_same shared_own"
names = "'global memory, one word' 'global memory, a word a lane' 'shared memory, one word' 'shared memory, a word a lane'"
plot for [i=1:4] h200 using (at(strcol("id"), word(ways, i))):(column("span_min") / 64) with linespoints lt i title word(names, i), \
     for [i=1:4] data using (at(strcol("id"), word(ways, i))):(column("span_min") / 64) with points pt 6 ps 1 lc rgb 0x444444 title (i == 4 ? "simulated" : "")
