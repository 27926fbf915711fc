# The same four warps with a memory of 500 cycles, to scale.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --arch textbook --kernel diary --values out:i64:24 out:i32:128 buf:i32:1024:chain:32
# args:   --block 128
# column: t0 = sim.buffers[0].values[0::6]
# column: t1 = sim.buffers[0].values[1::6]
# column: t2 = sim.buffers[0].values[2::6]
# column: t3 = sim.buffers[0].values[3::6]
# column: t4 = sim.buffers[0].values[4::6]
# column: t5 = sim.buffers[0].values[5::6]
# alt:    Four rows, W0 to W3, over 2500 cycles. Each is pale from end to end, with five hair-thin dark lines, nearly at the same places in all four: all four warps wait nearly all the time.
eval canvas(760, 230)
set yrange [3.6:-0.6]
set xrange [0:2050]
set ytics ("W0" 0, "W1" 1, "W2" 2, "W3" 3)
set xlabel "cycle"
bar = 0.34
work = 4 # instructions of a round: the clock, an xor, the address, the load
set style fill solid 1 noborder
set key samplen 1.5
t(i) = column(sprintf("t%d", i))
plot for [i=0:4] data using ((t(i)+t(i+1))/2):0:((t(i+1)-t(i))/2):(bar) with boxxyerror lc rgb 0xdddddd notitle, \
     for [i=0:4] data using (t(i)+work/2.0):0:(work/2.0):(bar) with boxxyerror lc rgb dark notitle, \
     keyentry with boxes lc rgb dark title "computes", keyentry with boxes lc rgb 0xdddddd title "waits for memory"
