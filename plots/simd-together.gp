# Two warps of eight add at the same time: do they get into each other's way?
#
# run:    run chapters/code/03-simd.cu --kernel together --block 256 --opt O3 --values out:i32:1 out:f32:256 i32:{1} i32:{2}
# keys:   0,1 0,2 0,3 0,4 0,5 0,6 0,7 1,2 1,3 1,4 1,5 1,6 1,7 2,3 2,4 2,5 2,6 2,7 3,4 3,5 3,6 3,7 4,5 4,6 4,7 5,6 5,7 6,7
# case:   03-simd-together/{}
# column: h200 = h200.span_min
# column: sim = sim.buffers[0].values[0]
# alt:    A square of eight by eight cells, one for each pair of warps; above the diagonal the H200's cycles, below it the simulator's. Nearly all cells say about 290 cycles on the H200 and 283 on the simulator. Four on either side are coloured and say about 545: the pairs 0 and 4, 1 and 5, 2 and 6, 3 and 7.
eval grid(8, 8, 46)
set xlabel "one warp" offset 0,0.6
set ylabel "the other" offset 1.5,0
set label "above the diagonal: H200; below: simulator" at 3.5, -0.95 center font small
a(key) = real(key[1:1])
b(key) = real(key[3:3])
slow(v) = v > 400 ? red : sky
plot data using (b(strcol("key"))):(a(strcol("key"))):(half):(half):(slow(column("h200"))) @filled, \
     data using (b(strcol("key"))):(a(strcol("key"))):(sprintf("%d", column("h200"))):(ink(slow(column("h200")))) @inside, \
     data using (a(strcol("key"))):(b(strcol("key"))):(half):(half):(slow(column("sim"))) @filled, \
     data using (a(strcol("key"))):(b(strcol("key"))):(sprintf("%d", column("sim"))):(ink(slow(column("sim")))) @inside
