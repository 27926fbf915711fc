template <int N, int M> struct Bomb {
  static const int value = Bomb<N - 1, M * 2>::value + Bomb<N - 1, M * 2 + 1>::value;
};
template <int M> struct Bomb<0, M> { static const int value = M; };
__device__ int warps_per_block(int threads) { return Bomb<28, 1>::value; }
