# What became of the issue slots of an SM's four schedulers, against the warps of a block: a load, then 32 multiply-adds.
#
# run:    run chapters/code/07-scheduling.cu --opt O3 --kernel phases --block {} cyc out:f32:1024 buf:u32:262144:chain:1024 f32:0.5
# keys:   128 256 384 512 640 768 896 1024
# column: slots = sim.metrics['smsp__cycles_active.sum']
# column: selected = sim.slot_cycles.selected
# column: long = sim.slot_cycles.long_scoreboard
# column: wait = sim.slot_cycles.wait
# column: pipe = sim.slot_cycles.math_pipe_throttle
# column: code = sim.slot_cycles.no_instruction
# column: barrier = sim.slot_cycles.barrier
# column: none = sim.slot_cycles.no_warp
# alt:    Eight stacked bars, for 4 to 32 warps, each of 100 percent of the issue slots. The share in which an instruction issues grows with the warps, from 9 percent to nearly two thirds; the waits for memory shrink from 61 percent to 7, and waits for results stay near a fifth.
eval canvas(760, 400)
set style data histogram
set style histogram rowstacked
set style fill solid 1 noborder
set boxwidth 0.75 relative
set yrange [0:100]
set xlabel "warps in the block"
set ylabel "share of the issue slots, %"
set key outside right top vertical Left reverse invert width -2
set rmargin 26
share(name) = 100.0 * column(name) / column("slots")
rest = "selected long wait pipe code barrier none"
left(x) = 100 - sum [i = 1:words(rest)] share(word(rest, i))
plot data using (share("selected")):xtic(sprintf("%d", column("key") / 32)) lc rgb dark title "an instruction issues", \
     data using (share("wait")) lc rgb bright title "waits for a result", \
     data using (share("pipe")) lc rgb green title "unit is busy", \
     data using (share("long")) lc rgb sky title "waits for memory", \
     data using (share("barrier")) lc rgb red title "at a barrier", \
     data using (share("code")) lc rgb 0xcc79a7 title "code is fetched", \
     data using (left(0)) lc rgb 0x999999 title "other", \
     data using (share("none")) lc rgb 0xdddddd title "no warp"
