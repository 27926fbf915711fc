# What a switch costs, against the number of ways that the lanes of a warp take, relative to one way.
#
# run:    run sim/tests/hardware/kernels.cu --kernel div_switch --block 32 cyc out:f32:32 f32:1 f32:0.5 i32:{}
# keys:   1..32
# case:   div_switch/k{}/W1
# column: instructions = sim.warp_instructions
# column: cycles = h200.span_min
# alt:    Two nearly straight lines that rise together from 1 at one way: the simulator's instructions to 28 and the H200's cycles to 26 at 32 ways.
eval canvas(760, 360)
stats data using (column("key") == 1 ? column("instructions") : NaN) nooutput name "one_i"
stats data using (column("key") == 1 ? column("cycles") : NaN) nooutput name "one_c"
set xrange [0:33]
set yrange [0:30]
set xtics (1, 4, 8, 12, 16, 20, 24, 28, 32)
set ytics 5
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "ways that the lanes take"
set ylabel "relative to one way"
plot data using "key":(column("instructions") / one_i_min) with lines lt 2 title "instructions of the simulator", \
     data using "key":(column("cycles") / one_c_min) with points lt 1 title "cycles on the H200"
