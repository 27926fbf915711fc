# The share of warps that diverge at the end of a vector, against its length.
#
# run:    run chapters/code/05-boundary.cu --kernel vector --block 64 --grid {2} --values buf:i32:3:zero:out i32:{1}
# keys:   33,1 100,2 163,3 227,4 355,6 483,8 739,12 1000,16 1443,23 2019,32 2915,46 4003,63 6051,95 8035,126 10000,157 14115,221 20003,313 30051,470 40035,626 60003,938 80035,1251 100003,1563
# case:   05-boundary/vector/n{1}
# column: divergent = sim.buffers[0].values[1]
# column: warps = sim.warps
# column: h200 = h200[1]?
# alt:    A straight line on two logarithmic axes. It falls from a half of the warps at 33 elements to 3 per cent at 1000, 0.3 per cent at 10,000 and 0.03 per cent at 100,000. Points for what the H200 counted at 100, 1000 and 10,000 lie on it.
eval canvas(760, 340)
set logscale xy
set xrange [25:130000]
set yrange [0.02:80]
set format x "%.0f"
set ytics (0.03, 0.1, 0.3, 1, 3, 10, 30)
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "elements"
set ylabel "divergent warps, %"
plot data using "key":(100 * column("divergent") / column("warps")) with lines lt 1 title "simulator", \
     data using "key":(100 * column("h200") / column("warps")) with points pt 7 ps 1 lc rgb red title "H200"
