/// The provers of an engine that runs for months.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "base/types.h"
#include "groth16/prover.h"

namespace cuzk::apps {

/// What an engine proves with.
struct LastingProvers {
  std::vector<std::unique_ptr<groth16::Prover>> devices;  ///< at least one
  std::unique_ptr<groth16::Prover> spare;                 ///< the processor, for when all GPUs are lost; or null
};

/// One prover for each device that is named ("cpu", "cuda:0"), none: all GPUs; of each GPU at most `vram_limit` bytes are
/// used, 0: nine tenths of what is free. A GPU that cannot be used is left out, the processor proves where none can; both
/// are logged. The pool must outlive them. Throws Error: not_found naming a GPU that is not there, unavailable where this
/// build knows no GPU.
LastingProvers make_lasting_provers(const std::vector<std::string>& devices, u64 vram_limit, ThreadPool& pool);

/// A line for each device that make_lasting_provers would prove with; takes no memory of it. Throws as that does for a GPU
/// that is not there.
std::vector<std::string> describe_devices(const std::vector<std::string>& devices);

}  // namespace cuzk::apps
