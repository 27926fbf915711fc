# 256 instructions in each of 1 to 32 warps of a block: how long until all are through.
#
# run:    run sim/tests/hardware/kernels-nvcc.ptx --kernel chain_syncwarp --block {1} cyc out:f32:{1} f32:1 f32:0.5
# keys:   32,1 64,2 96,3 128,4 160,5 192,6 256,8 320,10 384,12 512,16 640,20 768,24 896,28 1024,32
# case:   chain_syncwarp/W{2}
# column: h200 = h200.span_min / 256
# column: sim = sim.clock_span / 256
# alt:    A staircase. One to four warps take 1 cycle an instruction, five to eight take 2, nine to twelve 3, and so on up to 8 cycles for 32 warps. The points of the H200 and of the simulator lie on the stairs.
eval canvas(760, 360)
set xrange [0:32.8]
set yrange [0:9]
set xtics 4
set xlabel "warps of the block"
set ylabel "cycles for one instruction of each warp"
set key top left inside vertical Left reverse samplen 3
warps(key) = real(key[strstrt(key, ",")+1:*])
set samples 1000
plot [0:32] ceil(x/4.0) with lines lw 1 dt solid lc rgb grey title "warps / 4, rounded up", \
     data using (warps(strcol("key"))):"h200" with points lt 1 ps 1 title "H200", \
     data using (warps(strcol("key"))):"sim" with points pt 6 ps 1.6 lc rgb bright title "the simulator"
