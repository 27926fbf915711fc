# The threads of a block 4 wide, 8 high and 2 deep.
#
# run:  warps --tsv
# args: --block 4,8,2
# alt:  Two planes of 4 by 8 boxes, one a thread, with its linear id. The plane with threadIdx.z 0 holds threads 0 to 31 and is warp 0; the plane with threadIdx.z 1 holds threads 32 to 63 and is warp 1.
load "plots/block-8x8.gp"
