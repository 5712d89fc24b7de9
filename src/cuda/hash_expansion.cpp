#include "cuda/hash_expansion.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cuda/hash_expansion_dispatch.h"
#include "cuda/place_segments.h"
#include "hash/poseidon_batch.h"

namespace cuzk::cuda {
namespace {

using r1cs::Segment;

/// The segments that are hashes of one form.
struct HashList {
  PoseidonForm form;
  std::vector<u32> segments;
};

/// A circuit has few forms.
std::vector<HashList> lists_of(const r1cs::Witness& witness) {
  std::vector<HashList> lists;
  for (u32 i = 0; i < witness.segments().size(); ++i) {
    const Segment& segment = witness.segments()[i];
    if (segment.kind != Segment::Kind::hash) continue;
    auto list = std::ranges::find(lists, segment.form, &HashList::form);
    if (list == lists.end()) list = lists.insert(lists.end(), {segment.form, {}});
    list->segments.push_back(i);
  }
  return lists;
}

/// The constants of a form on the device.
class UploadedTable {
 public:
  UploadedTable(const Queue& queue, Staging& staging, const PoseidonForm& form) : kind_(PoseidonKind::of(form)) {
    const PoseidonConstants& constants = kind_.constants;
    if (constants.width > kHashThreads)
      throw internal_error("cuda: a hash of {} inputs, at most {}", form.arity, kHashThreads - 1);
    append(constants.compressed);
    append(constants.mds.items);
    append(constants.pre_sparse.items);
    for (const PoseidonSparse& sparse : constants.sparse) {
      append(sparse.column);
      append(sparse.row);
    }
    memory_ = DeviceBuffer<Fr>(queue.memory, values_.size());
    staging.upload(memory_.span(), values_);
  }

  HashTable table() const {
    const PoseidonConstants& constants = kind_.constants;
    const Fr* const keys = memory_.data();
    const Fr* const mds = keys + constants.compressed.size();
    const Fr* const pre_sparse = mds + constants.mds.items.size();
    return {static_cast<u32>(constants.width),
            static_cast<u32>(constants.partial_rounds),
            kind_.tag,
            keys,
            mds,
            pre_sparse,
            pre_sparse + constants.pre_sparse.items.size()};
  }

 private:
  void append(const std::vector<Fr>& more) { values_.insert(values_.end(), more.begin(), more.end()); }

  PoseidonKind kind_;
  std::vector<Fr> values_;
  DeviceBuffer<Fr> memory_;
};

template <class T>
DeviceBuffer<T> uploaded(const Queue& queue, Staging& staging, std::span<const T> values) {
  DeviceBuffer<T> memory(queue.memory, values.size());
  staging.upload(memory.span(), values);
  return memory;
}

}  // namespace

void write_elements(const Queue& queue, Staging& staging, const r1cs::Witness& witness,
                    std::span<const Segment> segments, const WitnessView& view, std::span<Fr> elements) {
  const std::size_t words = (witness.aux_count() + std::size_t{63}) / 64;
  const DeviceBuffer<Fr> given = uploaded(queue, staging, witness.elements());
  place_elements(queue, segments, given.span(), view, words, elements.data());
  const DeviceBuffer<Fr> inputs = uploaded(queue, staging, witness.hash_inputs());
  for (const HashList& list : lists_of(witness)) {
    const UploadedTable table(queue, staging, list.form);
    const DeviceBuffer<u32> listed = uploaded(queue, staging, std::span<const u32>(list.segments));
    expand_hashes(queue, table.table(), segments, listed.span(), inputs.span(), view, elements.data());
  }
}

}  // namespace cuzk::cuda
