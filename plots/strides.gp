# Time of 64 loads a thread by stride, for one warp and for 32.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/12-memory-timed.cu --opt O3 --timing -
# args: --filter 12-memory-timed/copy/offset0/*
# alt:    Cycles for 64 loads in each thread against strides of 1 to 32 words, both axes logarithmic, on an H200. For one warp 3400 cycles at stride 1 and 5300 at 32. For 32 warps 5400 at stride 1, 9800 at 4, 18000 at 8, 34000 at 16 and 67000 at 32. The simulator's points lie on the curves for one warp, and for 32 warps they lie above the curve at strides 2 to 8.
eval canvas(760, 380)
set logscale xy
set xrange [0.9:36]
set yrange [2000:100000]
set xtics (1, 2, 3, 4, 8, 16, 32)
set xlabel "stride in words of 4 bytes"
set ylabel "cycles"
set key top left inside vertical Left reverse samplen 3 noenhanced
set datafile missing NaN
h200 = "sim/tests/hardware/h200/book-timing.tsv"
head = "12-memory-timed/copy/offset0/stride"
rest(id) = id[strlen(head)+1:*]
stride(id) = real(rest(id)[1:strstrt(rest(id), "/")-1])
at(id, w) = strstrt(id, head) == 1 && rest(id)[strstrt(rest(id), "/"):*] eq "/W" . w ? stride(id) : NaN
warps = "1 4 16 32"
plot for [i=1:4] h200 using (at(strcol("id"), word(warps, i))):(column("span_min")) with linespoints lt i title word(warps, i) . (i == 1 ? " warp" : " warps"), \
     for [i=1:4] data using (at(strcol("id"), word(warps, i))):(column("span_min")) with points pt 6 ps 1 lc rgb 0x444444 title (i == 4 ? "simulated" : "")
