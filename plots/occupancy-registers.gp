# Resident warps of an A100 against registers of a thread, in blocks of 256: with all rounding, and
# by simple division.
#
# run:    occupancy --arch a100 --block 256 --regs {}
# keys:   16..32/4 33 36..64/4 65 68..255/4 255
# column: warps = sim.warps_per_sm
# alt:    A staircase that falls from 64 warps to 8 as registers grow from 16 to 255 a thread, with steps at 32, 40, 48, 64, 80 and 128 registers. A smooth curve, 2048 divided by the registers, touches the outer corners of the steps at 32, 64 and 128 and lies above them everywhere else.
eval canvas(760, 380)
set xrange [16:256]
set yrange [0:70]
set xtics (16, 32, 40, 48, 64, 80, 96, 128, 168, 255)
set ytics 8
set xlabel "registers of a thread"
set ylabel "resident warps"
set key top right inside vertical Left reverse samplen 3
naive(r) = 2048.0 / r > 64 ? 64 : 2048.0 / r
plot naive(x) with lines lt 2 title "65,536 / (32 × registers)", \
     data using "key":"warps" with fsteps lt 1 title "with all rounding, blocks of 256"
