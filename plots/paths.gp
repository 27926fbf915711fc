# Cycles of a switch against the number of ways that the lanes of a warp take: measured, and simulated.
#
# run:    run sim/tests/hardware/kernels-nvcc.ptx --kernel div_switch --block 32 cyc out:f32:32 f32:1 f32:0.5 i32:{}
# keys:   1..32
# case:   div_switch/k{}/W1
# column: h200 = h200.span_min
# column: simulated = sim.clock_span
# alt:    Points of the H200 that rise in a nearly straight line from 500 cycles at one way to 13,000 at 32, and a dashed line of the simulator that rises along them.
eval canvas(760, 360)
set xrange [0:33]
set yrange [0:14000]
set xtics (1, 4, 8, 12, 16, 20, 24, 28, 32)
set ytics 2000
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "ways that the lanes take"
set ylabel "cycles"
plot data using "key":"h200" with points pt 7 ps 1 lc rgb dark title "H200", \
     data using "key":"simulated" with lines lt 2 title "simulator"
