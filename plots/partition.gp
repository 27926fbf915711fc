# The lanes of a block's warps: one row a warp, one box a lane, filled or idle.
#
# run:  warps --tsv
# args: --block 257
# alt:  One row of 32 boxes for each warp of a block. A filled box is a lane that holds a thread; a hollow, crossed box is an idle lane. The numbers at the right are the threads of each warp.
stats data using "warp" nooutput name "warp"
stats data using "active" nooutput name "active"
warps = warp_max + 1
idle = 32 * warps - active_sum
eval canvas(760, 100 + 20.5 * warps)

set xrange [-0.7:36.5]
set yrange [warps-0.4:-0.6]
set lmargin 7
set rmargin 1
set tmargin 2.4
set bmargin 3
set border 0
set tics scale 0
set xtics ("0" 0, "4" 4, "8" 8, "12" 12, "16" 16, "20" 20, "24" 24, "28" 28, "31" 31) offset 0,0.4
set ytics 0, (warps > 16 ? 4 : 1) offset 0.8,0
set xlabel "lane" offset first -2.2, character 0.6
set ylabel "warp" offset 1.5,0
set key at first 15.5, screen 0.99 center top horizontal samplen 1 width 1 reverse Left
set label "threads" at first 32, first -0.95 left font small

# A warp's threads; half the sides of a box, in lanes and warps.
last(first) = first + 31 < active_sum ? first + 31 : active_sum - 1
threads(first) = last(first) > first ? sprintf("%d–%d", first, last(first)) : sprintf("%d", first)
half = 0.41
plot data using "lane":"warp":(column("active") == 1 ? half : NaN):(half) with boxxyerror \
       fs solid 1 border lc rgb dark fc rgb dark title sprintf("%d active", active_sum), \
     data using "lane":"warp":(column("active") == 0 ? half : NaN):(half) with boxxyerror \
       lw 1 dt solid fs empty border lc rgb grey fc rgb grey title sprintf("%d idle", idle), \
     data using (column("active") == 0 ? column("lane") : NaN):"warp" with points \
       pt 2 ps 1.1 lw 1 lc rgb grey notitle, \
     data using (column("lane") == 0 ? 32 : NaN):"warp":(threads(column("linear"))) with labels \
       left font small notitle
