# The same work at eight occupancies on the H200: a kernel that reads memory and two that compute.
#
# run:    run
# keys:   stream,1 stream,2 stream,3 stream,4 stream,5 stream,6 stream,7 stream,8 compute,1 compute,2 compute,3 compute,4 compute,5 compute,6 compute,7 compute,8 compute4,1 compute4,2 compute4,3 compute4,4 compute4,5 compute4,6 compute4,7 compute4,8
# case:   08-occupancy/{1}/B{2}
# column: span = h200.span_min
# alt:    Three curves over one to eight blocks of eight warps on each SM, in thousands of cycles for the same work. Reading memory falls from 93 with one block to 17 with eight, without a pause. Computing in one chain falls from 116 to 65 with the second block and stays there, with bumps at three and five. Computing in four chains is flat at 59 to 60.
eval canvas(760, 380)
set xrange [0.8:8.2]
set yrange [0:125]
set xtics ("12.5%%\n1" 1, "25%%\n2" 2, "37.5%%\n3" 3, "50%%\n4" 4, "62.5%%\n5" 5, "75%%\n6" 6, "87.5%%\n7" 7, "100%%\n8" 8)
set xlabel "occupancy, and blocks of 8 warps on an SM" offset 0,-0.9
set ylabel "thousand cycles for all the work"
set bmargin 5.2
set key noenhanced top right inside vertical Left reverse samplen 3
blocks(key) = real(key[strstrt(key, ",")+1:*])
of(key, what) = key[1:strstrt(key, ",")-1] eq what
ways = "compute compute4 stream"
titles = "'computes, one chain' 'computes, four chains' 'reads memory'"
lines = "2 3 1"
plot for [i=1:3] data using (of(strcol("key"), word(ways, i)) ? blocks(strcol("key")) : NaN):(column("span")/1000) with linespoints lt word(lines, i) title word(titles, i)
