#include "cuda/witness.h"

#include "cuda/bit_ranks.h"
#include "cuda/flip.h"
#include "cuda/hash_expansion.h"
#include "cuda/place_segments.h"

namespace cuzk::cuda {
namespace {

/// The words of a witness's bits and one more, for kernels read two words at any place.
DeviceBuffer<u64> upload_bits(const Queue& queue, Staging& staging, const std::vector<u64>& words) {
  DeviceBuffer<u64> bits(queue.memory, words.size() + 1);
  staging.upload(bits.span().first(words.size()), words);
  fill_bytes(std::as_writable_bytes(bits.span().last(1)), 0, queue.stream);
  return bits;
}

}  // namespace

DeviceWitness::DeviceWitness(const Queue& queue, Staging& staging, const r1cs::Witness& witness)
    : inputs_(static_cast<u32>(witness.inputs().size())),
      ones_(queue.memory, (witness.aux_count() + std::size_t{63}) / 64 + 1),
      is_element_(queue.memory, ones_.size()),
      elements_(queue.memory, inputs_ + witness.aux_count() - witness.bits().size()) {
  DeviceBuffer<r1cs::Segment> segments(queue.memory, witness.segments().size());
  staging.upload(segments.span(), witness.segments());
  const DeviceBuffer<u64> bits = upload_bits(queue, staging, witness.bits().words());
  place_segments(queue, segments.span(), bits.span(), ones_.span(), is_element_.span());
  elements_before_ = bits_before(queue, is_element());
  staging.upload(elements_.span().first(inputs_), witness.inputs());
  if (witness.is_plain()) {
    staging.upload(elements_.span().subspan(inputs_), witness.elements());
  } else {
    write_elements(queue, staging, witness, segments.span(), view(), elements_.span());
  }
  may_flip("cuda.flip.bits", queue, ones_.span());
  may_flip("cuda.flip.witness", queue, elements_.span());
}

}  // namespace cuzk::cuda
