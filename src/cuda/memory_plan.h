/// How a proof lives with the memory of its device: what is chosen for a card, and what a test may ask for.
///
///     card      key                 quotient
///     80 GB     on the device       at once: a, b, c and a spare buffer of the domain
///     24 GB     streamed in tiles   at once
///     16 GB     streamed in tiles   side by side: three buffers, for each side is evaluated when its turn comes
///     12 GB     streamed in tiles   parked: two buffers, the product of a and b waits in the host's memory
///      8 GB     streamed in tiles   on the host: ten seconds of sixteen of its threads
///
/// The sizes are of PoRep-32G, all but 80 GB measured with a limit on a larger card; a smaller circuit has an easier plan on the same card.
#pragma once

#include "base/types.h"

namespace cuzk::cuda {

struct MemoryPlan {
  enum class Key : u8 { automatic, resident, streamed };
  enum class Quotient : u8 { automatic, at_once, by_side, parked, on_host };

  Key key = Key::automatic;
  Quotient quotient = Quotient::automatic;
  std::size_t tile_points = 0;  ///< of a streamed key, taken at a time; 0: as many as there is memory for
};

/// Buffers of the domain's size that a plan for the quotient needs on the device.
constexpr unsigned quotient_buffers(MemoryPlan::Quotient plan) {
  switch (plan) {
    case MemoryPlan::Quotient::by_side: return 3;
    case MemoryPlan::Quotient::parked: return 2;
    case MemoryPlan::Quotient::on_host: return 1;  // the result
    default: return 4;
  }
}

}  // namespace cuzk::cuda
