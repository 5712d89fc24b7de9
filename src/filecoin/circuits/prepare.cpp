#include "filecoin/circuits/prepare.h"

#include <numeric>

#include "filecoin/circuits/porep_labels.h"
#include "filecoin/path_root.h"
#include "gadgets/poseidon.h"
#include "gadgets/prepare_paths.h"

namespace cuzk::filecoin {

namespace {

using gadgets::PoseidonTag;
using gadgets::PreparedPath;
using r1cs::WitnessBuilder;

constexpr std::size_t kTogether = 8;  // hashes side by side

/// Hashes of pairs or columns, and where the circuit asks for them.
struct Hashes {
  std::vector<Fr> inputs;
  std::vector<std::size_t> places;

  void add(std::span<const Fr> more, std::size_t place) {
    inputs.insert(inputs.end(), more.begin(), more.end());
    places.push_back(place);
  }
  std::vector<Fr> prepare(WitnessBuilder& builder, PoseidonTag tag = PoseidonTag::merkle) const {
    return gadgets::prepare_poseidon(builder, tag, inputs.size() / places.size(), inputs, places);
  }
};

}  // namespace

void prepare_porep_challenge(WitnessBuilder& builder, const Fr& replica_id, const PorepChallenge& challenge) {
  Hashes columns;
  std::vector<PreparedPath> paths;
  std::size_t place = 0;
  const auto add_path = [&](const gadgets::MerklePath& path) {
    paths.push_back({Fr::zero(), &path, place});
    place += path.size();
  };
  const auto add_column = [&](std::span<const Fr> rows, const gadgets::MerklePath& path) {
    columns.add(rows, place++);
    add_path(path);
  };
  for (const PorepColumn& column : challenge.drg_parents) add_column(column.rows, column.path);
  for (const PorepColumn& column : challenge.expander_parents) add_column(column.rows, column.path);
  const std::vector<Fr> labels = challenge_labels(replica_id.to_bytes(), challenge);
  add_path(challenge.replica_path);
  add_column(labels, challenge.column_path);

  builder.prepared().expect(place);
  const std::vector<Fr> leaves = columns.prepare(builder);
  const std::size_t parents = leaves.size() - 1;
  for (std::size_t i = 0; i < parents; ++i) paths[i].leaf = leaves[i];
  paths[parents].leaf = labels.back() + challenge.data_leaf;
  paths[parents + 1].leaf = leaves[parents];
  prepare_paths(builder, paths);
}

void prepare_post_sectors(WitnessBuilder& builder, std::span<const PostSector> sectors) {
  Hashes commitments;
  std::vector<PreparedPath> paths;
  std::size_t place = 0;
  for (const PostSector& sector : sectors) {
    commitments.add(std::array{sector.comm_c, sector.comm_r_last}, place++);
    for (std::size_t i = 0; i < sector.leaves.size(); ++i) {
      paths.push_back({sector.leaves[i], sector.paths[i], place});
      place += sector.paths[i]->size();
    }
  }
  builder.prepared().expect(place);
  commitments.prepare(builder);
  prepare_paths(builder, paths);
}

std::size_t post_sectors_together(std::size_t paths) { return kTogether / std::gcd(kTogether, paths); }

void prepare_update_challenges(WitnessBuilder& builder, const UpdateShape& shape, const UpdateInput& input,
                               const Fr& phi, std::span<const UpdateChallenge> challenges) {
  const unsigned low_bits = shape.challenge_bits - shape.hs[input.h_choice];
  Hashes rhos;
  std::vector<PreparedPath> old_paths, new_paths;
  std::size_t place = 0;
  for (const UpdateChallenge& challenge : challenges) {
    rhos.add(std::array{phi, Fr::from_u64(leaf_of(challenge.path_r_old) >> low_bits)}, place++);
    old_paths.push_back({challenge.leaf_r_old, &challenge.path_r_old, place});
    place += challenge.path_r_old.size();
    new_paths.push_back({Fr::zero(), &challenge.path_r_new, place});
    place += challenge.path_r_new.size();
  }
  builder.prepared().expect(place);
  const std::vector<Fr> rho = rhos.prepare(builder, PoseidonTag::randomness);
  for (std::size_t i = 0; i < challenges.size(); ++i)
    new_paths[i].leaf = challenges[i].leaf_r_old + challenges[i].leaf_d_new * rho[i];
  old_paths.insert(old_paths.end(), new_paths.begin(), new_paths.end());
  prepare_paths(builder, old_paths);
}

}  // namespace cuzk::filecoin
