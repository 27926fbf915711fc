# The share of warps that diverge at the edges of a picture, against its width.
#
# run:    run chapters/code/05-boundary.cu --kernel picture --block 16,16 --grid {2},{4} --values buf:i32:3:zero:out i32:{1} i32:{3}
# keys:   62,4,76,5 76,5,62,4 150,10,200,13 200,13,150,10 1000,63,1000,63 1201,76,901,57 1366,86,768,48 1920,120,1080,68
# case:   05-boundary/picture/{1}x{3}/16x16
# column: divergent = h200[1]
# column: warps = sim.warps
# alt:    A falling line, the rule of thumb, with points that the H200 counted: 24 per cent at a width of 62, 19 at 76, 10 at 150, 7 at 200, 1.6 at 1000, 1.5 at 1201, 1.2 at 1366, and none at 1920.
eval canvas(760, 340)
set xrange [0:2000]
set yrange [-0.5:26]
set xtics 200
set ytics 5
set grid y lt 1 lc rgb grey lw 0.5 dt (2,4)
set xlabel "width of the picture"
set ylabel "divergent warps, %"
set samples 1000
plot [40:2000] 100.0 / ceil(x / 16) with lines lt 2 title "1/⌈w/16⌉", \
     data using "key":(100 * column("divergent") / column("warps")) with points pt 7 ps 1 lc rgb dark title "H200"
