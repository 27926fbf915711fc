// Small kernels of the kind that courses and programs have, device code only, in the form of kernels.cu. No parameter
// of an architecture file was fitted to them: they tell how far the timing model generalises.
typedef long long i64;
#define LANE ((int)(threadIdx.x & 31))
#define WARP ((int)(threadIdx.x >> 5))
#define BEGIN i64 t0_; __syncthreads(); t0_ = clock64();
#define END(val) { i64 t1_ = clock64(); sink[blockIdx.x*blockDim.x+threadIdx.x] = (val); \
  if (LANE == 0) { unsigned sm_; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm_)); \
    i64 *c_ = cyc + 3*(blockIdx.x*(blockDim.x/32) + WARP); c_[0]=t0_; c_[1]=t1_; c_[2]=sm_; } }
#define REP4(x) x x x x
#define REP16(x) REP4(x) REP4(x) REP4(x) REP4(x)
#define REP64(x) REP16(x) REP16(x) REP16(x) REP16(x)
#define REP256(x) REP64(x) REP64(x) REP64(x) REP64(x)
#define FFMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define FADD(x) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define FMUL(x) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define IMAD(x) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(ia), "r"(ib));
#define IADDLOP(x) asm volatile("add.s32 %0, %0, %1; lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(ia), "r"(ib));
#define LOP3(x) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8; lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(ia), "r"(ib));
#define ISHL(x) asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(x) : "r"(ia));
#define IMINMAX(x) asm volatile("max.s32 %0, %0, %1; add.s32 %0, %0, %2;" : "+r"(x) : "r"(ia), "r"(ib));
#define POPC(x) asm volatile("popc.b32 %0, %0;" : "+r"(x));
#define EX2(x) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
#define RSQ(x) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
#define DFMA(x) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(da), "d"(db));
#define SHFLX(x) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
#define SHFLI(x) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;" : "+r"(x) : "r"(ia));
#define SHFLUP(x) asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;" : "+r"(x));
#define BALLOT(x) asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "+r"(x) : "r"(ia));
#define MATCHANY(x) asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(x));
#define REDUX(x) asm volatile("redux.sync.add.s32 %0, %0, 0xffffffff;" : "+r"(x));
#define K extern "C" __global__ void
K h_transpose_naive(i64 *cyc, float *sink, const float *in, float *out, int n) { int x = threadIdx.x % 32, y = threadIdx.x / 32; BEGIN
  for (int i = 0; i < n; i += 32) for (int j = y; j < 32; j += blockDim.x / 32) out[x * n + i + j] = in[(i + j) * 32 + x]; END(0.0f) }
K h_transpose_tiled(i64 *cyc, float *sink, const float *in, float *out, int n) { __shared__ float t[32][33]; int x = threadIdx.x % 32, y = threadIdx.x / 32; BEGIN
  for (int i = 0; i < n; i += 32) { for (int j = y; j < 32; j += blockDim.x / 32) t[j][x] = in[(i + j) * 32 + x]; __syncthreads(); for (int j = y; j < 32; j += blockDim.x / 32) out[j * n + i + x] = t[x][j]; __syncthreads(); } END(0.0f) }
K h_histogram(i64 *cyc, float *sink, const unsigned *in, int *out, int n) { __shared__ int h[64]; if (threadIdx.x < 64) h[threadIdx.x] = 0; BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[in[i] & 63], 1);
  __syncthreads(); if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], h[threadIdx.x]); END(0.0f) }
K h_collatz(i64 *cyc, float *sink, int *out, int start) { unsigned n = start + threadIdx.x; int c = 0; BEGIN
  while (n != 1 && c < 400) { n = (n & 1) ? 3 * n + 1 : n >> 1; c++; } out[threadIdx.x] = c; END((float)c) }
K h_bsearch(i64 *cyc, float *sink, const int *in, int *out, int n) { int key = (threadIdx.x * 37) % n, lo = 0, hi = n; BEGIN
  while (lo < hi) { int mid = (lo + hi) / 2; if (in[mid] < key) lo = mid + 1; else hi = mid; } out[threadIdx.x] = lo; END((float)lo) }
K h_bitonic(i64 *cyc, float *sink, int *io) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = io[t]; BEGIN
  for (int k = 2; k <= (int)blockDim.x; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) { __syncthreads(); int u = t ^ j; if (u > t) { int a = s[t], b = s[u]; if ((a > b) == ((t & k) == 0)) { s[t] = b; s[u] = a; } } }
  __syncthreads(); io[t] = s[t]; END(0.0f) }
K h_nbody(i64 *cyc, float *sink, const float *px, const float *py, float *out, int n) { float x = px[threadIdx.x], y = py[threadIdx.x], ax = 0, ay = 0; BEGIN
  for (int i = 0; i < n; i++) { float dx = px[i] - x, dy = py[i] - y, r = rsqrtf(dx * dx + dy * dy + 0.01f), f = r * r * r; ax += dx * f; ay += dy * f; } out[threadIdx.x] = ax + ay; END(ax) }
K h_nbody_sh(i64 *cyc, float *sink, const float *px, const float *py, float *out, int n) { __shared__ float sx[256], sy[256]; int t = threadIdx.x; float x = px[t], y = py[t], ax = 0, ay = 0; BEGIN
  for (int b = 0; b < n; b += blockDim.x) { sx[t & 255] = px[b + t]; sy[t & 255] = py[b + t]; __syncthreads(); for (int i = 0; i < (int)blockDim.x; i++) { float dx = sx[i] - x, dy = sy[i] - y, r = rsqrtf(dx * dx + dy * dy + 0.01f), f = r * r * r; ax += dx * f; ay += dy * f; } __syncthreads(); } out[t] = ax + ay; END(ax) }
K h_matvec(i64 *cyc, float *sink, const float *A, const float *x, float *y, int n) { float s = 0; BEGIN
  for (int j = 0; j < n; j++) s += A[threadIdx.x * n + j] * x[j]; y[threadIdx.x] = s; END(s) }
K h_matvec_t(i64 *cyc, float *sink, const float *A, const float *x, float *y, int n) { float s = 0; BEGIN
  for (int j = 0; j < n; j++) s += A[j * blockDim.x + threadIdx.x] * x[j]; y[threadIdx.x] = s; END(s) }
K h_conv1d(i64 *cyc, float *sink, const float *in, const float *w, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { float s = 0; for (int k = 0; k < 9; k++) s += in[i + k] * w[k]; out[i] = s; } END(0.0f) }
K h_mc(i64 *cyc, float *sink, int *out, int n) { unsigned s = threadIdx.x * 747796405u + 1; int hit = 0; BEGIN
  for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; float x = (s >> 8) * 5.9604645e-8f; s = s * 1664525u + 1013904223u; float y = (s >> 8) * 5.9604645e-8f; if (x * x + y * y < 1.0f) hit++; } out[threadIdx.x] = hit; END((float)hit) }
K h_poly(i64 *cyc, float *sink, const float *in, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { float x = in[i], r = 0.1f; r = r * x + 0.2f; r = r * x + 0.3f; r = r * x + 0.4f; r = r * x + 0.5f; r = r * x + 0.6f; r = r * x + 0.7f; out[i] = r; } END(0.0f) }
K h_reduce_seq(i64 *cyc, float *sink, const float *in, float *out, int n) { __shared__ float s[1024]; int t = threadIdx.x; float v = 0; BEGIN
  for (int i = t; i < n; i += blockDim.x) v += in[i]; s[t] = v; __syncthreads();
  for (int o = blockDim.x / 2; o > 32; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
  if (t < 32) { v = s[t] + (blockDim.x > 32 ? s[t + 32] : 0); for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o); if (t == 0) *out = v; } END(v) }
K h_reduce_mod(i64 *cyc, float *sink, const float *in) { __shared__ float s[1024]; int t = threadIdx.x; s[t] = in[t]; BEGIN
  for (int o = 1; o < (int)blockDim.x; o *= 2) { if (t % (2 * o) == 0) s[t] += s[t + o]; __syncthreads(); } END(s[0]) }
K h_switch4(i64 *cyc, float *sink, const int *op, float *io, int n) { float x = io[threadIdx.x]; BEGIN
  for (int i = 0; i < n; i++) { switch (op[(threadIdx.x + i) & 63]) { case 0: x = x * 1.5f + 1.0f; break; case 1: x = x - 3.0f; break; case 2: x = sqrtf(fabsf(x)); break; default: x = -x; } } io[threadIdx.x] = x; END(x) }
K h_life(i64 *cyc, float *sink, const int *in, int *out) { __shared__ int s[34][34]; int t = threadIdx.x; for (int i = t; i < 34 * 34; i += blockDim.x) s[i / 34][i % 34] = in[i]; BEGIN
  for (int i = t; i < 1024; i += blockDim.x) { int x = i % 32 + 1, y = i / 32 + 1; int n = s[y-1][x-1] + s[y-1][x] + s[y-1][x+1] + s[y][x-1] + s[y][x+1] + s[y+1][x-1] + s[y+1][x] + s[y+1][x+1]; out[i] = n == 3 || (n == 2 && s[y][x]); } END(0.0f) }
K h_spmv(i64 *cyc, float *sink, const int *col, const float *val, const float *x, float *y, int k) { float s = 0; int r = threadIdx.x; BEGIN
  for (int j = 0; j < k; j++) s += val[r * k + j] * x[col[r * k + j]]; y[r] = s; END(s) }
K h_gather(i64 *cyc, float *sink, const int *idx, const float *in, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[idx[i]]; END(0.0f) }
K h_warpsum(i64 *cyc, float *sink, const float *in, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { float v = in[i]; for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); if (LANE == 0) out[i / 32] = v; } END(0.0f) }
K h_ballotrank(i64 *cyc, float *sink, const int *in, int *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { unsigned m = __ballot_sync(0xffffffffu, in[i] & 1); out[i] = __popc(m & ((1u << LANE) - 1)); } END(0.0f) }
K h_fib(i64 *cyc, float *sink, unsigned *out, int n) { unsigned a = threadIdx.x, b = 1; BEGIN
  for (int i = 0; i < n; i++) { unsigned c = a + b; a = b; b = c ^ (c >> 7); } out[threadIdx.x] = b; END((float)b) }
K h_gcd(i64 *cyc, float *sink, unsigned *out, unsigned m) { unsigned a = threadIdx.x * 30030u + 17, b = m; BEGIN
  while (b) { unsigned t = a % b; a = b; b = t; } out[threadIdx.x] = a; END((float)a) }
K h_matmul_n(i64 *cyc, float *sink, const float *A, const float *B, float *C, int n) { int x = threadIdx.x % 16, y = threadIdx.x / 16; float s = 0; BEGIN
  for (int k = 0; k < n; k++) s += A[y * n + k] * B[k * 16 + x]; C[threadIdx.x] = s; END(s) }
K h_softmax(i64 *cyc, float *sink, const float *in, float *out, int n) { BEGIN
  for (int r = WARP; r < n; r += blockDim.x / 32) { float v = in[r * 32 + LANE], m = v; for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o)); float e = __expf(v - m), s = e; for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o); out[r * 32 + LANE] = __fdividef(e, s); } END(0.0f) }
K h_scan_shared(i64 *cyc, float *sink, const int *in, int *out) { __shared__ int s[2][1024]; int t = threadIdx.x, p = 0; s[0][t] = in[t]; BEGIN
  for (int o = 1; o < (int)blockDim.x; o <<= 1) { __syncthreads(); int v = s[p][t]; if (t >= o) v += s[p][t - o]; p ^= 1; s[p][t] = v; } __syncthreads(); out[t] = s[p][t]; END(0.0f) }
K h_hash(i64 *cyc, float *sink, unsigned *out, int n) { unsigned h = threadIdx.x; BEGIN
  for (int i = 0; i < n; i++) { h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16; h += i; } out[threadIdx.x] = h; END((float)h) }
K h_dexp(i64 *cyc, float *sink, double *io, int n) { double x = io[threadIdx.x]; BEGIN
  for (int i = 0; i < n; i++) { double r = 1 + x * (1 + x * (0.5 + x * (0.1666 + x * 0.04166))); x = r * 0.3; } io[threadIdx.x] = x; END((float)x) }
K h_early(i64 *cyc, float *sink, const float *in, float *out, int n) { BEGIN
  for (int i = 0; i < n; i++) { float v = in[i * blockDim.x + threadIdx.x]; if (v < 2.0f) continue; if (v > 5.0f) { out[threadIdx.x] = v; break; } out[threadIdx.x] += v * 0.5f; } END(0.0f) }
K h_vecadd_grid(i64 *cyc, float *sink, const float *a, const float *b, float *c, int n) { BEGIN
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; END(0.0f) }
K h_triad_grid(i64 *cyc, float *sink, const float *a, const float *b, float *c, int n) { BEGIN
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + 3.0f * b[i]; END(0.0f) }
// A later set, of which the model knew nothing when it was measured; what it showed was mended after.
__constant__ float filt[32] = {0.1f,0.2f,0.4f,0.2f,0.1f,0.05f,0.02f,0.01f,0.3f};
K t_convc(i64 *cyc, float *sink, const float *in, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { float s = 0; for (int k = 0; k < 9; k++) s += filt[k] * in[i + k]; out[i] = s; } END(0.0f) }
K t_lut(i64 *cyc, float *sink, const int *in, float *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = filt[in[i] & 7]; END(0.0f) }
K t_hist_sh(i64 *cyc, float *sink, const int *in, int *out, int n) { __shared__ int h[64]; if (threadIdx.x < 64) h[threadIdx.x] = 0; BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[in[i] & 63], 1); __syncthreads(); if (threadIdx.x < 64) out[threadIdx.x] = h[threadIdx.x]; END(0.0f) }
K t_count(i64 *cyc, float *sink, const int *in, int *count, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) if (in[i] % 3 == 0) atomicAdd(count, 1); END(0.0f) }
K t_sobel(i64 *cyc, float *sink, const float *in, float *out, int w, int h) { BEGIN
  for (int p = threadIdx.x; p < w * h; p += blockDim.x) { int x = p % w, y = p / w; float g = 0; if (x > 0 && x < w - 1 && y > 0 && y < h - 1) { float gx = in[p - w + 1] + 2 * in[p + 1] + in[p + w + 1] - in[p - w - 1] - 2 * in[p - 1] - in[p + w - 1]; float gy = in[p + w - 1] + 2 * in[p + w] + in[p + w + 1] - in[p - w - 1] - 2 * in[p - w] - in[p - w + 1]; g = fabsf(gx) + fabsf(gy); } out[p] = g; } END(0.0f) }
K t_oddeven(i64 *cyc, float *sink, int *data, int n) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = data[t]; BEGIN
  for (int r = 0; r < n; r++) { __syncthreads(); int i = 2 * t + (r & 1); if (i + 1 < blockDim.x) { int a = s[i], b = s[i + 1]; if (a > b) { s[i] = b; s[i + 1] = a; } } } __syncthreads(); data[t] = s[t]; END(0.0f) }
K t_mmtile(i64 *cyc, float *sink, const float *A, const float *B, float *C, int n) { __shared__ float a[16][16], b[16][16]; int x = threadIdx.x % 16, y = threadIdx.x / 16 % 16; float s = 0; BEGIN
  for (int k0 = 0; k0 < n; k0 += 16) { a[y][x] = A[y * n + k0 + x]; b[y][x] = B[(k0 + y) * 16 + x]; __syncthreads(); for (int k = 0; k < 16; k++) s += a[y][k] * b[k][x]; __syncthreads(); } C[threadIdx.x] = s; END(s) }
K t_transp(i64 *cyc, float *sink, const float *in, float *out) { __shared__ float tile[32][33]; int x = threadIdx.x % 32, y = threadIdx.x / 32; BEGIN
  for (int r = y; r < 32; r += blockDim.x / 32) tile[r][x] = in[r * 32 + x]; __syncthreads(); for (int r = y; r < 32; r += blockDim.x / 32) out[r * 32 + x] = tile[x][r]; END(0.0f) }
K t_match(i64 *cyc, float *sink, const int *text, const int *pat, int *out, int n, int m) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { int k = 0; while (k < m && text[i + k] == pat[k]) k++; out[i] = k == m; } END(0.0f) }
K t_popc(i64 *cyc, float *sink, const unsigned *in, int *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { unsigned v = in[i]; int c = 0; while (v) { v &= v - 1; c++; } out[i] = c; } END(0.0f) }
K t_wscan(i64 *cyc, float *sink, const int *in, int *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { int v = in[i]; for (int o = 1; o < 32; o <<= 1) { int u = __shfl_up_sync(0xffffffffu, v, o); if (LANE >= o) v += u; } out[i] = v; } END(0.0f) }
K t_newton(i64 *cyc, float *sink, float *io, int n) { float x = io[threadIdx.x] + 1.0f, a = x * 2; BEGIN
  for (int i = 0; i < n; i++) x = 0.5f * (x + a / x); io[threadIdx.x] = x; END(x) }
K t_select(i64 *cyc, float *sink, const int *in, int *out, int n) { BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) { int v = in[i], r; if (v < 100) r = v * 3; else if (v < 200) r = v - 7; else if (v < 300) r = v ^ 0x55; else r = v >> 2; out[i] = r; } END(0.0f) }
K t_crc(i64 *cyc, float *sink, const unsigned *in, unsigned *out, int n) { BEGIN
  unsigned c = 0xffffffffu; for (int i = 0; i < n; i++) { c ^= in[threadIdx.x * n + i]; for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; } out[threadIdx.x] = c; END((float)c) }
K t_horner(i64 *cyc, float *sink, const float *c, float *io, int n) { float x = io[threadIdx.x], s = 0; BEGIN
  for (int k = 0; k < n; k++) s = s * x + c[k]; io[threadIdx.x] = s; END(s) }
K t_divergeloop(i64 *cyc, float *sink, const int *trip, float *out) { float s = 0; int n = trip[threadIdx.x]; BEGIN
  for (int i = 0; i < n; i++) { s += i * 0.5f; if (s > 40.0f) s *= 0.25f; } out[threadIdx.x] = s; END(s) }
K t_blockmax(i64 *cyc, float *sink, const float *in, float *out, int n) { __shared__ float s[32]; float v = -1e30f; BEGIN
  for (int i = threadIdx.x; i < n; i += blockDim.x) v = fmaxf(v, in[i]); for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o)); if (LANE == 0) s[WARP] = v; __syncthreads(); if (WARP == 0) { v = LANE < blockDim.x / 32 ? s[LANE] : -1e30f; for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o)); if (LANE == 0) *out = v; } END(v) }
K t_axpy_grid(i64 *cyc, float *sink, const float *x, float *y, float a, int n) { BEGIN
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i]; END(0.0f) }
K t_jacobi(i64 *cyc, float *sink, const float *in, float *out, int w, int h) { BEGIN
  for (int y = 1 + WARP; y < h - 1; y += blockDim.x / 32) for (int x = 1 + LANE; x < w - 1; x += 32) out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]); END(0.0f) }
