/// A key's file, straight to a device: through a ring of pinned memory, made into points there. The host never holds the
/// key.
#pragma once

#include "cuda/key.h"
#include "cuda/staging.h"
#include "groth16/control.h"
#include "groth16/input_file.h"

namespace cuzk::cuda {

/// One key at a time, on a stream of its own: proofs go on beside it.
class KeyLoader {
 public:
  /// Of its stream, which outlives it; takes the pinned memory of a Staging.
  KeyLoader(const Stream& stream, ThreadPool& pool) : stream_(stream), staging_(stream, pool) {}

  /// What load() fills and what it needs beside: to be taken when no other stream has work under way that may still use
  /// memory given back.
  class Room {
   public:
    Room(const groth16::KeyLengths& lengths, MemoryResource& memory);

   private:
    friend class KeyLoader;
    DeviceBuffer<G1Affine> h_, l_, a_, b_g1_;
    DeviceBuffer<G2Affine> b_g2_;
    DeviceBuffer<std::byte> encoded_;
    DeviceBuffer<u32> first_bad_;
  };

  /// The points of a file with these lengths, in the room's memory, each as `check` demands. Waits
  /// for the stream. Throws Error{invalid_input} naming the file, the vector and the first point that is none, with its
  /// fault, as groth16::read_parameters does; cancelled; and reports progress as that does.
  CudaKey::Points load(const groth16::InputFile& file, const groth16::KeyLengths& lengths, groth16::KeyCheck check,
                       Room& room, const groth16::Control& control);

 private:
  const Stream& stream_;
  Staging staging_;
};

}  // namespace cuzk::cuda
