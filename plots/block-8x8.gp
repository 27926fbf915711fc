# The threads of a block in the plane, coloured by warp; the planes of a block with depth side by side.
#
# run:  warps --tsv
# args: --block 8,8
# alt:  A square of 8 by 8 boxes, one a thread, with its linear id. The upper four rows, threads 0 to 31, have one colour and are warp 0; the lower four, threads 32 to 63, another and are warp 1.
stats data using "x" nooutput name "x"
stats data using "y" nooutput name "y"
stats data using "z" nooutput name "z"
stats data using "warp" nooutput name "warp"
width = x_max + 1
planes = z_max + 1
across = width * planes + 0.6 * (planes - 1)
eval grid(across, y_max + 1, 40)
place(x, z) = x + (width + 0.6) * z
set xtics ("0" 0)
do for [z=0:z_max] { do for [x=0:x_max] {
  set xtics add (sprintf("%d", x) place(x, z))
} }
set xlabel "threadIdx.x" offset 0,0.6
set ylabel "threadIdx.y" offset 1.5,0
if (z_max > 0) {
  set tmargin 3.6
  do for [z=0:z_max] { set label sprintf("threadIdx.z = %d", z) at place(x_max / 2.0, z), -0.9 center font small }
}
set key at graph 0.5, screen 0.99 center top horizontal samplen 1 width 1 reverse Left
plot data using (place(column("x"), column("z"))):"y":(half):(half):(series(column("warp"))) @filled, \
     data using (place(column("x"), column("z"))):"y":(sprintf("%d", column("linear"))):(ink(series(column("warp")))) @inside, \
     for [w=0:warp_max] keyentry with boxes fs solid 1 noborder lc rgb series(w) title sprintf("warp %d", w)
