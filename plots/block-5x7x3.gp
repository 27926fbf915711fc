# The threads of a block 5 wide, 7 high and 3 deep.
#
# run:  warps --tsv
# args: --block 5,7,3
# alt:  Three planes of 5 by 7 boxes, one a thread, with its linear id from 0 to 104. Warp 0 takes all of the first plane but its last three threads. Warp 1 takes these three and most of the second plane, warp 2 the rest of it and most of the third, and warp 3 the last nine threads.
load "plots/block-8x8.gp"
