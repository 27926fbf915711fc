# The processing blocks of an SM: what each has of its own, and what they share.
#
# run:    archs
# args:   a100
# column: lanes = sim.[23].value
# column: blocks = sim.[21].value
# column: registers = sim.[11].value
# column: shared = sim.[14].value
# alt:    Four equal columns side by side, the processing blocks of an A100's SM. Each has a box for fetch and scheduler, one for a register file of 16,384 registers, and sixteen small boxes, its lanes for single precision, in two rows of eight. Below all four lies one wide box, shared memory and L1 cache.
stats data using "lanes" nooutput name "lanes"
stats data using "blocks" nooutput name "blocks"
stats data using "registers" nooutput name "registers"
stats data using "shared" nooutput name "shared"
lanes = int(lanes_max)
blocks = int(blocks_max)
rows = lanes / 8
eval canvas(190 * blocks + 40, 215 + 24 * rows)
set xrange [-0.3:8.6*blocks-0.3]
set yrange [4.8+rows:-0.6]
set border 0
unset xtics
unset ytics
unset key
set lmargin 1
set rmargin 1
set tmargin 0.2
set bmargin 0.2
left(b) = 8.6 * b
do for [b=0:blocks-1] {
  set object (100*b+1) rectangle from left(b)-0.15, -0.4 to left(b)+8.05, 3.1+rows fs empty border lc rgb grey
  set label sprintf("processing block %d", b) at left(b)+3.95, 0.05 center font small
  set object (100*b+2) rectangle from left(b)+0.1, 0.5 to left(b)+7.8, 1.5 fs solid 1 noborder fc rgb bright
  set label "fetch, scheduler" at left(b)+3.95, 1.0 center front font small tc rgb 0x111111
  set object (100*b+3) rectangle from left(b)+0.1, 1.8 to left(b)+7.8, 2.8 fs solid 1 noborder fc rgb sky
  do for [l=0:lanes-1] {
    set object (100*b+10+l) rectangle center left(b)+l%8+0.45, l/8+3.45 size 0.84, 0.8 fs solid 1 noborder fc rgb dark
  }
  set label sprintf("%d registers", registers_max / blocks) at left(b)+3.95, 2.3 center front font small tc rgb 0x111111
}
set object 9999 rectangle from -0.15, 3.4+rows to left(blocks-1)+8.05, 4.5+rows fs solid 1 noborder fc rgb green
set label sprintf("shared memory (up to %d KB) and L1 cache", shared_max / 1024) at (left(blocks-1)+7.9)/2, 3.95+rows center front font small tc rgb 0xffffff
plot NaN notitle
