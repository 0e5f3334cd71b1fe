#pragma once
// The one macro the project needs: a function or lambda compiled for host and device.

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
