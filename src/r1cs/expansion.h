/// Writes out the hashes that a witness keeps as their inputs: for provers and checks on the processor, which want every
/// value in memory. A device does it by itself (cuda/hash_expansion.h).
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "base/thread_pool.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// The values of some segments, counted from auxiliary variable 0, without the public inputs; plain.
Witness expanded(const Witness& witness, std::span<const Segment> segments);

/// The whole witness; plain. Memory: 32 bytes for each value that is no bit.
Witness expanded(const Witness& witness, ThreadPool& pool);

/// Bytes that it will take.
std::size_t expanded_memory(const Witness& witness);

/// Segments that are expanded together: a few megabytes, and enough hashes of each form to go side by side.
inline constexpr std::size_t kExpandedTogether = 1024;

/// Calls visit(part) for plain parts of a witness, in order: all its values without ever holding them all.
template <class Visit>
void for_each_plain_part(const Witness& witness, Visit&& visit) {
  if (witness.is_plain()) return visit(witness);
  const std::span<const Segment> segments = witness.segments();
  for (std::size_t i = 0; i < segments.size(); i += kExpandedTogether)
    visit(expanded(witness, segments.subspan(i, std::min(kExpandedTogether, segments.size() - i))));
}

/// A plain witness: the one given, or its expansion. Keeps a reference.
class PlainWitness {
 public:
  PlainWitness(const Witness& witness, ThreadPool& pool) : given_(witness) {
    if (!witness.is_plain()) expansion_ = expanded(witness, pool);
  }
  const Witness& operator*() const { return expansion_ ? *expansion_ : given_; }

 private:
  const Witness& given_;
  std::optional<Witness> expansion_;
};

}  // namespace cuzk::r1cs
