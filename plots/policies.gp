# Five policies of choosing among ready warps: cycles of the same kernel, by its warps.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --arch textbook --kernel phases --scheduler {1} --block {2} cyc out:f32:{2} buf:u32:262144:chain:1024 f32:0.5
# keys:   lrr,128 lrr,256 lrr,384 lrr,512 lrr,1024 grr,128 grr,256 grr,384 grr,512 grr,1024 gto,128 gto,256 gto,384 gto,512 gto,1024 two-level,128 two-level,256 two-level,384 two-level,512 two-level,1024 oldest,128 oldest,256 oldest,384 oldest,512 oldest,1024
# column: span = sim.clock_span
# column: issued = sim.metrics['smsp__inst_issued.sum']
# alt:    Thousands of cycles against 4 to 32 warps for five policies. With few warps all take about the same. At 16 warps greedy round robin and two-level take about 11 thousand cycles, loose round robin 12, and oldest and greedy-then-oldest more than 17. At 32 warps the first three lie close to the grey line, the number of instructions, and the other two above it.
eval canvas(760, 380)
set xrange [0:33]
set yrange [0:*]
set xlabel "warps on the SM"
set ylabel "thousand cycles"
set key top left inside vertical Left reverse samplen 4
of(p) = strcol("key")[1:strstrt(strcol("key"), ",")-1] eq p
warps(k) = real(k[strstrt(k, ",")+1:*]) / 32
set datafile missing NaN
names = "lrr oldest gto two-level grr"
plot for [i=1:5] data using (of(word(names, i)) ? warps(strcol("key")) : NaN):(column("span")/1000) with linespoints lt i title word(names, i), \
     data using (of("lrr") ? warps(strcol("key")) : NaN):(column("issued")/1000) with lines lw 1.5 dt (2,4) lc rgb grey title "instructions: no policy can be faster"
