# plots/fidelity.gnuplot - `make fidelity`: every timed case, simulated against measured, and curves of
# some families. Sets used: data (build/fidelity/cases.tsv), form, file; see style.gp.
eval canvas(760, 620)
set logscale xy
set xlabel "cycles on an H200"
set ylabel "simulated cycles"
set key top left reverse Left
set xrange [40:1e6]
set yrange [40:1e6]
family(f) = sprintf("< awk -F'\\t' 'NR == 1 || $2 == \"%s\"' %s", f, data)
plot x with lines lc rgb grey lw 1 dt solid title "equal", \
     1.25 * x with lines lc rgb grey lw 1 dt (3,4) title "25% more, 25% less", \
     x / 1.25 with lines lc rgb grey lw 1 dt (3,4) notitle, \
     family("chain") using 5:6 with points lc rgb dark pt 6 ps 0.6 title "chain", \
     family("div") using 5:6 with points lc rgb bright pt 4 ps 0.6 title "div", \
     family("hide") using 5:6 with points lc rgb green pt 8 ps 0.6 title "hide", \
     family("mem") using 5:6 with points lc rgb sky pt 12 ps 0.6 title "mem", \
     family("app") using 5:6 with points lc rgb red pt 7 ps 0.6 title "app"
