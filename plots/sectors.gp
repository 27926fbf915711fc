# Which sectors of 32 bytes a warp touches, and with how many lanes each, by offset and stride.
#
# run:    run chapters/code/12-memory.cu --kernel lanes_a_sector --block 32 --values out:i32:32 i32:{1} i32:{2}
# keys:   0,1 1,1 0,2 0,4 0,8
# column: lanes = sim.buffers[0].values
# alt:    Five rows of 32 boxes, the first 32 sectors of 32 bytes. Offset 0 and stride 1: the first four sectors are filled, 8 lanes each. Offset 1: five sectors, with 7, 8, 8, 8 and 1 lanes. Stride 2: eight sectors with 4 lanes each. Stride 4: sixteen with 2. Stride 8: all 32, with 1 lane each.
eval grid(32, 5, 21)
set lmargin 20
set xtics 4
set xlabel "sector of 32 bytes" offset 0,0.6
set ytics noenhanced ("stride 1" 0, "stride 1, offset 1" 1, "stride 2" 2, "stride 4" 3, "stride 8" 4)
row(n) = int(n / 32)
at(n) = int(n) % 32
plot data using (at(column(0))):(row(column(0))):(column("lanes") > 0 ? half : NaN):(half):(dark) @filled, \
     data using (at(column(0))):(row(column(0))):(column("lanes") > 0 ? NaN : half):(half) @hollow, \
     data using (at(column(0))):(row(column(0))):(column("lanes") > 0 ? sprintf("%d", column("lanes")) : ""):(0xffffff) @inside
