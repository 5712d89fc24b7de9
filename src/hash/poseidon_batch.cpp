#include "hash/poseidon_batch.h"

#include "base/error.h"
#include "field/kernels.h"

namespace cuzk {

namespace {

void check_sizes(const PoseidonKind& kind, std::size_t inputs, std::size_t results, std::size_t result_size) {
  const std::size_t count = results / result_size;
  if (inputs != count * kind.arity() || results != count * result_size)
    throw internal_error("Poseidon: {} inputs of arity {} for {} values, {} a hash", inputs, kind.arity(), results,
                         result_size);
}

bool in_lanes(const PoseidonKind& kind) {
  return kind.arity() <= kPoseidonLaneArity && chosen_kernels() == Kernels::ifma;
}

}  // namespace

void poseidon_hashes(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes) {
  check_sizes(kind, inputs.size(), hashes.size(), 1);
  (in_lanes(kind) ? detail::poseidon_hashes_ifma : detail::poseidon_hashes_portable)(kind, inputs, hashes);
}

std::vector<Fr> poseidon_hashes(const PoseidonKind& kind, std::span<const Fr> inputs) {
  std::vector<Fr> hashes(inputs.size() / kind.arity());
  poseidon_hashes(kind, inputs, hashes);
  return hashes;
}

void poseidon_traces(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces) {
  check_sizes(kind, inputs.size(), traces.size(), kind.trace_size());
  (in_lanes(kind) ? detail::poseidon_traces_ifma : detail::poseidon_traces_portable)(kind, inputs, traces);
}

namespace detail {

void poseidon_hashes_portable(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes) {
  for (std::size_t i = 0; i < hashes.size(); ++i)
    hashes[i] = PoseidonPermutation<>(kind.constants)(kind.tag, inputs.subspan(i * kind.arity(), kind.arity()));
}

void poseidon_traces_portable(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces) {
  const std::size_t size = kind.trace_size();
  for (std::size_t i = 0; i < traces.size() / size; ++i)
    trace_poseidon(kind.constants, kind.tag, inputs.subspan(i * kind.arity(), kind.arity()),
                   traces.subspan(i * size, size));
}

}  // namespace detail

}  // namespace cuzk
