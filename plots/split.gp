# Cycles against the place where an if/else splits a warp: measured, and simulated.
#
# run:    run sim/tests/hardware/kernels-nvcc.ptx --kernel div_ifelse --block 32 cyc out:f32:32 f32:1 f32:0.5 i32:{}
# keys:   0 1 2 8 15 16 17 24 31 32
# case:   div_ifelse/t{}/W1
# column: h200 = h200.span_min
# column: simulated = sim.clock_span
# alt:    Points of the H200 with a dashed line of the simulator along them. They stand at about 1100 cycles when no lane takes the first path, jump to 2200 at one lane, stay there up to 31, and fall to 1170 at 32.
eval canvas(760, 320)
set xrange [-0.5:32.5]
set yrange [0:2600]
set xtics 4
set ytics 500
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "lanes that take the first path"
set ylabel "cycles"
plot data using "key":"h200" with points pt 7 ps 1 lc rgb dark title "H200", \
     data using "key":"simulated" with lines lt 2 title "simulator"
