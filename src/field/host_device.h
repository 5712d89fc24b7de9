/// Marks functions that are compiled for the host and, under nvcc, for the device as well.
#pragma once

#ifdef __CUDACC__
#define CUZK_HD __host__ __device__
#else
#define CUZK_HD
#endif
