# Occupancy of an A100 by registers of a thread and size of a block, without shared memory.
#
# run:  occupancy --table
# args: plots/occupancy-surface.rows
# alt:  A map of coloured cells. Across: blocks of 32 to 1024 threads; upwards: 16 to 248 registers a thread; the darker, the more of the 64 warps are resident. Up to 32 registers nearly everything is full, but for blocks of 32 threads, which reach half, and sizes that do not divide 64 warps well. With more registers the map grows lighter in steps, and the steps of large blocks are wide: at 1024 threads it falls from all to half just above 32 registers, and to nothing above 64.
eval canvas(760, 460)
set xrange [16:1040]
set yrange [12:252]
set xtics 128 out
set ytics 32 out
set xlabel "threads of a block"
set ylabel "registers of a thread"
set cbrange [0:100]
set cblabel "occupancy, per cent"
set palette defined (0 "#f7fbff", 25 "#c6dbef", 50 "#6baed6", 75 "#2171b5", 100 "#08306b")
set rmargin 12
unset key
occupancy(blocks, threads) = 100 * blocks * ceil(threads / 32.0) / 64
plot data using "block":"regs_per_thread":(16):(4):(occupancy(column("blocks_per_sm"), column("block"))) \
  with boxxyerror fs solid 1 noborder lc palette
