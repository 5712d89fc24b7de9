/// The GPUs that this build and machine have; none in a build without CUDA.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "base/types.h"
#include "groth16/prover.h"

namespace cuzk::apps {

/// Their numbers.
std::vector<int> gpus();

/// "cuda:0: NVIDIA H200, 139 of 140 GiB free"; of one that is there.
std::string describe_gpu(int ordinal);

/// One that has shown that it computes as it should. vram_limit: bytes of its memory that may be used; 0: nine tenths of
/// what is free. The pool must outlive it. Throws Error{unavailable}, also where this build has no CUDA.
std::unique_ptr<groth16::Prover> make_gpu_prover(int ordinal, ThreadPool& pool, u64 vram_limit);

}  // namespace cuzk::apps
