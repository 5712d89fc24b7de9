#include "filecoin/circuits/post.h"

#include "filecoin/circuits/blank_path.h"
#include "filecoin/circuits/prepare.h"
#include "filecoin/circuits/repeat.h"
#include "gadgets/por.h"
#include "gadgets/poseidon.h"

namespace cuzk::filecoin {

namespace {

template <class Builder>
void sector(Builder& builder, const PostSector& input) {
  using Number = typename Builder::Number;
  const Number comm_r_last = builder.alloc_number(input.comm_r_last);
  const Number comm_c = builder.alloc_number(input.comm_c);
  const Number comm_r = builder.alloc_number(input.comm_r);
  gadgets::inputize(builder, comm_r);
  gadgets::enforce_equal(builder, comm_r, gadgets::poseidon(builder, std::array{comm_c, comm_r_last}));
  for (std::size_t i = 0; i < input.leaves.size(); ++i) {
    const auto scope = builder.scope("challenge " + std::to_string(i));
    const Number leaf = builder.alloc_number(input.leaves[i]);
    gadgets::por(builder, leaf, comm_r_last, *input.paths[i], gadgets::TreeHash::poseidon);
  }
}

template <class Builder>
void synthesize_sectors(Builder& builder, std::span<const PostSector> sectors) {
  const std::size_t together = sectors.empty() ? 1 : post_sectors_together(sectors[0].paths.size());
  repeat(builder, sectors.size(), [&](std::size_t i) {
    const auto scope = builder.scope("sector " + std::to_string(i));
    if (i % together == 0) prepare_post_sectors(builder, sectors.subspan(i, std::min(together, sectors.size() - i)));
    sector(builder, sectors[i]);
  });
}

r1cs::Witness witness_of(std::span<const PostSector> sectors) {
  r1cs::WitnessBuilder builder;
  synthesize_sectors(builder, sectors);
  return std::move(builder).finish();
}

/// Room for `parts` witnesses like this one.
r1cs::Witness::Size times(const r1cs::Witness::Size& size, std::size_t parts) {
  return {parts * size.inputs, parts * size.bits, parts * size.elements, parts * size.hash_inputs,
          parts * size.segments};
}

}  // namespace

PostCounts winning_counts() { return {kWinningChallenges, 1}; }

PostCounts window_counts(const SectorShape& shape) { return {shape.window_sectors, kWindowChallenges}; }

template <class Builder>
void synthesize_post(Builder& builder, const PostInput& input) {
  synthesize_sectors(builder, std::span(input.sectors));
}

template void synthesize_post(r1cs::Compiler&, const PostInput&);
template void synthesize_post(r1cs::WitnessBuilder&, const PostInput&);

r1cs::Circuit compile_post(const SectorShape& shape, PostCounts counts) {
  const Fr zero = Fr::zero();
  const gadgets::MerklePath path = blank_path(poseidon_tree_levels(shape));
  const PostSector sector{zero, zero, zero, std::vector<Fr>(counts.challenges, zero),
                          std::vector(counts.challenges, &path)};
  r1cs::Compiler compiler;
  synthesize_post(compiler, {std::vector<PostSector>(counts.sectors, sector)});
  return std::move(compiler).finish();
}

r1cs::Witness post_witness(const PostInput& input, std::stop_token stop) {
  r1cs::WitnessBuilder builder(std::move(stop));
  synthesize_post(builder, input);
  return std::move(builder).finish();
}

r1cs::Witness post_witness(const PostInput& input, ThreadPool& pool) {
  const std::span<const PostSector> sectors(input.sectors);
  const std::size_t of_part = sectors.empty() ? 1 : post_sectors_together(sectors[0].paths.size());
  const std::size_t parts = (sectors.size() + of_part - 1) / of_part, at_once = 2 * std::size_t{pool.threads()};
  r1cs::Witness witness;
  for (std::size_t first = 0; first < parts; first += at_once) {
    std::vector<r1cs::Witness> some(std::min(at_once, parts - first));
    pool.parallel_for(0, some.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto behind = sectors.subspan((first + i) * of_part);
        some[i] = witness_of(behind.first(std::min(of_part, behind.size())));
      }
    });
    if (first == 0) witness.reserve(times(some[0].size(), parts));
    for (const r1cs::Witness& part : some) {
      for (const Fr& input : part.inputs().subspan(1)) witness.add_input(input);
      witness.add_segments(part, part.segments());
    }
  }
  return witness;
}

}  // namespace cuzk::filecoin
