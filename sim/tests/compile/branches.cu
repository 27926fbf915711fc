// One kernel for each way to branch in source. test_compile.c knows how many branches each has.
#define KERNEL(name) extern "C" __global__ void name(int *o, int x, int y)
KERNEL(if_only) { if (x > 1) o[0] = 1; }
KERNEL(if_else) { if (x > 1) o[0] = 1; else o[0] = 2; }
KERNEL(same_arms) { if (x > 1) o[0] = 1; else o[0] = 1; }
KERNEL(empty_arm) { if (x > 1) { } else { o[0] = 2; } }
KERNEL(and_two) { if (x > 1 && y > 2) o[0] = 1; }
KERNEL(and_three) { if (x > 1 && y > 2 && x != y) o[0] = 1; else o[0] = 2; }
KERNEL(or_two) { if (x > 1 || y > 2) o[0] = 1; }
KERNEL(not_and_or) { if (!(x > 1 && y > 2) || x == 5) o[0] = 1; }
KERNEL(else_if) { if (x == 1) o[0] = 1; else if (x == 2) o[0] = 2; else if (y == 3) o[0] = 3; else o[0] = 4; }
KERNEL(switch_three) { switch (x) { case 0: o[0] = 5; break; case 1: o[1] = 7; break; case 2: o[2] = 8; break; default: o[3] = 2; } }
KERNEL(switch_eight) { switch (x) { case 0: o[0] = 5; break; case 1: o[1] = 7; break; case 2: o[2] = 8; break; case 3: o[3] = 2; break;
  case 4: o[4] = 1; break; case 5: o[5] = 4; break; case 6: o[6] = 2; break; case 7: o[7] = 3; break; } }
KERNEL(switch_falls) { switch (x) { case 10: o[0] = 5; case 200: o[1] = 7; break; case 3000: o[2] = 8; } }
KERNEL(for_loop) { int s = 0; for (int i = 0; i < (int)threadIdx.x; i++) s += i; o[threadIdx.x] = s; }
KERNEL(for_constant) { int s = 0; for (int i = 0; i < 8; i++) s += o[i]; o[8] = s; }
KERNEL(while_loop) { while (x > 1) { x /= 2; o[0]++; } }
KERNEL(do_loop) { do { x /= 2; o[0]++; } while (x > 1); }
KERNEL(break_continue) { for (int i = 0; i < x; i++) { if (o[i] == 3) continue; if (o[i] == 7) break; o[i] = i; } }
KERNEL(early_return) { if (x > 1) return; o[0] = y; }
KERNEL(ternary) { o[0] = x > y ? x * 2 : y + 1; }
KERNEL(nested_ternary) { o[0] = x > y ? x * 2 : x == 3 ? 7 : y + 1; }
KERNEL(stored_and) { bool b = x > 1 && o[1] > 2; o[0] = b; }
KERNEL(goto_loop) { again: o[0]++; if (o[0] < x) goto again; }
__device__ int helper(int v) { if (v > 3) return v * 2; return v + 1; }
KERNEL(in_a_call) { o[0] = helper(x) + helper(y); }
KERNEL(nothing) { o[0] = (x > 1) + max(x, y) + abs(x) + min(y, 3); }
