# Simulated cycles against the H200's, for the 95 cases of the tables that have eight warps.
#
# run:  batch sim/tests/hardware/cases.tsv --module sim/tests/hardware/kernels-nvcc.ptx --timing -
# args: --filter */W8
# alt:  A scatter plot with two logarithmic axes, the H200's cycles from 200 to 400 thousand across and the simulator's up. The points of four groups of kernels, chains of instructions, divergence, memory and small real kernels, lie on the diagonal or close to it. The mean error is printed in a corner.
h200 = "sim/tests/hardware/h200/timing.tsv"
joined = sprintf("< awk -F'\\t' 'BEGIN { OFS = FS; print \"id\", \"sim\", \"h200\" } /^#|^id/ { next } NR == FNR { s[$1] = $2; next } $1 in s { print $1, s[$1], $2 }' '%s' '%s'", data, h200)
stats joined using (100 * abs(column("sim") / column("h200") - 1)) nooutput
eval canvas(620, 520)
set logscale xy
set xrange [100:500000]
set yrange [100:500000]
set format xy "10^{%T}"
set xlabel "cycles, measured on the H200"
set ylabel "cycles, simulated"
set key top left inside vertical Left reverse samplen 2 noenhanced
family(id) = id[1:strstrt(id, "_")-1]
kind(id) = (f = family(id), f eq "chain" || f eq "ilp2" || f eq "ilp4" || f eq "ilp8" || f eq "mix" ? 1 : f eq "div" ? 2 : f eq "app" || f eq "reduce" || f eq "warp" ? 4 : 3)
set label sprintf("%d cases, mean error %.1f%%", STATS_records, STATS_mean) at graph 0.97, 0.05 right
names = "'chains and mixes of instructions' divergence 'waiting for memory' 'small real kernels'"
plot x with lines lw 1 lc rgb grey notitle, \
     for [k=1:4] joined using (kind(strcol("id")) == k ? column("h200") : NaN):(column("sim")) with points lt k ps 1 title word(names, k)
