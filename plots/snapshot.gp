# What eight warps do over time: wait for memory, compute, wait at a barrier; and one cycle of it.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --arch textbook --kernel day --values out:i64:32 out:i32:256 buf:i32:1024:chain:32
# args:   --block 256
# column: t0 = sim.buffers[0].values[0::4]
# column: t1 = sim.buffers[0].values[1::4]
# column: t2 = sim.buffers[0].values[2::4]
# column: t3 = sim.buffers[0].values[3::4]
# alt:    Eight rows, warps 0 to 7, over about 1700 cycles. Warps 0 and 4 wait for memory for the first 550 cycles, compute a little, and wait at the barrier. Warps 1 and 5 compute briefly and then wait at the barrier. Warps 2, 3, 6 and 7 compute nearly to the end. A vertical line at cycle 300 cuts two warps that wait for memory, two that wait at the barrier, and four that have something to do.
eval canvas(760, 330)
set yrange [7.6:-0.6]
set xrange [0:*]
set ytics 1
set ylabel "warp"
set xlabel "cycle"
bar = 0.34
set style fill solid 1 noborder
set arrow from 300, graph 0 to 300, graph 1 nohead lw 2 dt solid lc rgb 0x444444 front
set label "cycle 300" at 306, graph 0.965 font small front
plot data using ((column("t0")+column("t1"))/2):0:((column("t1")-column("t0"))/2):(bar):(column("t1")-column("t0") > 200 ? 0xcccccc : dark) with boxxyerror lc rgb variable notitle, keyentry with boxes lc rgb 0xcccccc title "waits for memory", \
     data using ((column("t1")+column("t2"))/2):0:((column("t2")-column("t1"))/2):(bar) with boxxyerror lc rgb dark title "computes, or could", \
     data using ((column("t2")+column("t3"))/2):0:((column("t3")-column("t2"))/2):(bar) with boxxyerror lc rgb bright title "waits at the barrier"
