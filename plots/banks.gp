# How many words of each bank of shared memory a warp wants, by stride.
#
# run:    run chapters/code/12-memory.cu --kernel words_a_bank --block 32 --values out:i32:32 i32:{}
# keys:   1 2 3 4 8 16 32 33
# column: words = sim.buffers[0].values
# alt:    Eight rows of 32 boxes, the banks. Stride 1, 3 and 33: every bank is wanted once. Stride 2: every second bank twice. Stride 4: every fourth bank four times. Stride 8: four banks eight times each. Stride 16: banks 0 and 16, sixteen times each. Stride 32: bank 0 thirty-two times, and no other.
eval grid(32, 8, 21)
set lmargin 14
set xtics 4
set xlabel "bank" offset 0,0.6
set ytics ("stride 1" 0, "stride 2" 1, "stride 3" 2, "stride 4" 3, "stride 8" 4, "stride 16" 5, "stride 32" 6, "stride 33" 7)
row(n) = int(n / 32)
at(n) = int(n) % 32
shade(w) = w == 1 ? dark : w <= 4 ? bright : red
plot data using (at(column(0))):(row(column(0))):(column("words") > 0 ? half : NaN):(half):(shade(column("words"))) @filled, \
     data using (at(column(0))):(row(column(0))):(column("words") > 0 ? NaN : half):(half) @hollow, \
     data using (at(column(0))):(row(column(0))):(column("words") > 0 ? sprintf("%d", column("words")) : ""):(ink(shade(column("words")))) @inside
