# plots/fidelity-curves.gnuplot - `make fidelity`: cycles against warps for some kernels, measured as
# points, simulated as lines.
eval canvas(860, 560)
set logscale y
set xlabel "warps of the block"
set ylabel "cycles"
set key outside right vertical reverse Left
of(k) = sprintf("< awk -F'\\t' 'NR == 1 || $1 ~ \"^%s/W\"' %s | sort -n -k4", k, data)
kernels = "chain_ffma chain_ex2 chain_shfl_bfly chain_syncthreads ilp4_ffma hide_l2/work4 app_dot/n4096 reduce_shared"
plot for [k = 1:words(kernels)] of(word(kernels, k)) using 4:6 with lines lc rgb series(k - 1) lw 2 dt solid \
       title word(kernels, k) noenhanced, \
     for [k = 1:words(kernels)] of(word(kernels, k)) using 4:5 with points lc rgb series(k - 1) pt 7 ps 0.6 notitle
