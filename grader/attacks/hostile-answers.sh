cp "$ROOT/labs/01-partition/partition.cu" "$1"
printf 'predict_warps = 99999999999999999999999999\npredict_mask = 0x\033[2J<script>alert(1)</script>\npredict_idle = =1+1\npredict_grid = 40 || 1\npredict_warp_of_thread = %%n%%s\n' >"$1/answers.txt"
