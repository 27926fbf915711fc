# The ladder of synchronisation: what a step on each rung costs on an H200.
#
# run:    archs h200
# keys:   chain_fadd/W1,256 chain_syncwarp/W1,256 chain_syncthreads/W1,64 chain_shfl_bfly/W1,256 11-sync-timed/shared_own/W1,64 chain_syncthreads/W32,64 11-sync-timed/shared_same/W1,64 11-sync-timed/global_own/W1,64 11-sync-timed/fence_device/W1,64 11-sync-timed/grid_rounds/W8,16
# case:   {1}
# column: span = h200.span_min
# column: launch = sim.[key=launch_us].value
# column: wait = sim.[key=launch_sync_us].value
# column: mhz = sim.[key=clock_mhz].value
# alt:    Twelve bars on a logarithmic axis of cycles, from syncwarp with 1 and an addition with 4 over a barrier of one warp with 14, a shuffle with 24, an atomic in shared memory with 26, a barrier of 32 warps with 75, 32 lanes on one shared word with 278, an atomic in global memory with 509, a fence with 581 and a barrier of the whole grid with 1900 to a kernel launch with about 8000 and a launch that is waited for with 18000.
eval canvas(760, 430)
set logscale x
set xrange [0.7:60000]
set yrange [11.6:-0.6]
set xlabel "cycles on the H200"
set lmargin 30
set ytics noenhanced ("an addition, to compare" 0, "__syncwarp" 1, "__syncthreads, 1 warp" 2, "shuffle" 3, "atomic, shared memory" 4, "__syncthreads, 32 warps" 5, "atomic, one shared word" 6, "atomic, global memory" 7, "store and __threadfence" 8, "barrier of the grid" 9, "kernel launch" 10, "launch and wait" 11)
unset key
times(k) = real(k[strstrt(k, ",")+1:*])
cost(k, span) = span / times(k)
bar = 0.32
plot data using (cost(strcol("key"), column("span"))):0:(0.7):(cost(strcol("key"), column("span"))):(column(0)-bar):(column(0)+bar) with boxxyerror fs solid 1 noborder lc rgb dark, \
     data every ::0::0 using (column("launch")*column("mhz")):(10):(0.7):(column("launch")*column("mhz")):(10-bar):(10+bar) with boxxyerror fs solid 1 noborder lc rgb bright, \
     data every ::0::0 using (column("wait")*column("mhz")):(11):(0.7):(column("wait")*column("mhz")):(11-bar):(11+bar) with boxxyerror fs solid 1 noborder lc rgb bright, \
     data using (cost(strcol("key"), column("span"))*1.15):0:(sprintf("%.0f", cost(strcol("key"), column("span")))) with labels left font small, \
     data every ::0::0 using (column("launch")*column("mhz")*1.15):(10):(sprintf("%.0f", column("launch")*column("mhz"))) with labels left font small, \
     data every ::0::0 using (column("wait")*column("mhz")*1.15):(11):(sprintf("%.0f", column("wait")*column("mhz"))) with labels left font small
