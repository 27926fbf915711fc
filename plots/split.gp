# Cycles of the H200 against the place where an if/else, or an if, splits a warp.
#
# run:    run sim/tests/hardware/kernels.cu --kernel div_ifelse --block 32 cyc out:f32:32 f32:1 f32:0.5 i32:{}
# keys:   0 1 2 8 15 16 17 24 31 32
# case:   div_ifelse/t{}/W1
# column: both = h200.span_min
# column: instructions = sim.warp_instructions
# alt:    Two lines with points. The upper, for an if with else, stands at about 1100 cycles at split 0, jumps to 2220 at split 1, stays there up to split 31, and falls to 1170 at split 32. A dashed line of the simulator's instructions runs along it.
eval canvas(760, 320)
set xrange [-0.5:32.5]
set yrange [0:2600]
set xtics 4
set ytics 500
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "lanes that take the first path"
plot data using "key":"both" with linespoints lt 1 title "cycles on the H200", \
     data using "key":"instructions" with linespoints lt 2 title "instructions of the simulator"
