// From here to field/ifma_end.h functions are compiled for AVX-512 with 52-bit multiply-adds, whatever the file's own
// target is. Headers of other rooms and of the library are included before, so that none of their inline functions is
// compiled for a processor that a later caller may lack. No include guard: this is one half of a pair of brackets.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma")
#endif
