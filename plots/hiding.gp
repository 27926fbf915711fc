# Rounds of a load and some computing that an SM finishes in a thousand cycles, by its warps.
#
# run:  batch sim/tests/hardware/book-cases.tsv --module chapters/code/07-scheduling.cu --opt O3 --timing -
# args: --filter 07-scheduling/*
# alt:    Three curves of rounds finished in a thousand cycles against 1 to 32 warps, measured on an H200, with the simulator's points close to them. With a load only, the curve is a straight line up to 106 rounds. With a load and 32 multiply-adds in four chains it is nearly as straight at first and reaches 67. With 32 multiply-adds in one chain it is a straight line, too, and ends at 57.
eval canvas(760, 380)
set xrange [0:33]
set yrange [0:120]
set xlabel "warps on the SM"
set ylabel "rounds in 1000 cycles"
set key top left inside vertical Left reverse samplen 3 noenhanced
set datafile missing NaN
h200 = "sim/tests/hardware/h200/book-timing.tsv"
at(id, way) = strstrt(id, "07-scheduling/" . way . "/W") == 1 ? real(id[strlen("07-scheduling/" . way) + 3:*]) : NaN
rounds(id, way, n) = 1000.0 * n * at(id, way) / column("span_min")
ways = "chase1 phases4 phases"
names = "'a load only' 'a load and 32 multiply-adds in four chains' 'a load and 32 in one chain'"
plot for [i=1:3] h200 using (at(strcol("id"), word(ways, i))):(rounds(strcol("id"), word(ways, i), i == 1 ? 32 : 16)) with lines lt i title word(names, i), \
     for [i=1:3] data using (at(strcol("id"), word(ways, i))):(rounds(strcol("id"), word(ways, i), i == 1 ? 32 : 16)) with points pt 6 ps 1 lc rgb 0x444444 title (i == 3 ? "simulated" : "")
