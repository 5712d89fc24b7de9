#include "common/sparse_requests.h"

#include <fmt/format.h>

#include "common/sealing_options.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"

namespace cuzk::apps {

using filecoin::ApiVersion;
using filecoin::PostKind;
using filecoin::PostProof;

namespace {

/// The text that all values are derived from.
std::string seed_text(const char* kind, const SparseOrder& order) {
  return fmt::format("sparse {}-{} {}", kind, order.size, order.seed);
}

}  // namespace

void add_sparse_options(CLI::App& command, SparseOrder& order) {
  command.add_option("--size", order.size, "of the sector, such as 32g")->required();
  command.add_option("--seed", order.seed, "a number; the same gives the same file")->capture_default_str();
  command.add_option("--sectors", order.sectors, "window: how many; without it a whole partition");
}

filecoin::VanillaPost sparse_winning(const SparseOrder& order) {
  const PostProof proof{PostKind::winning, ApiVersion::v1_0, &shape_option(order.size)};
  const u32 sectors = order.sectors != 0 ? order.sectors : 1;
  return filecoin::sparse_post(proof, seed_text("winning", order), sectors, ThreadPool::shared());
}

filecoin::VanillaPost sparse_window(const SparseOrder& order) {
  const PostProof proof{PostKind::window, ApiVersion::v1_2, &shape_option(order.size)};
  const u32 sectors = order.sectors != 0 ? order.sectors : proof.sectors_per_partition();
  return filecoin::sparse_post(proof, seed_text("window", order), sectors, ThreadPool::shared());
}

filecoin::VanillaUpdate sparse_snap(const SparseOrder& order) {
  return filecoin::sparse_update(shape_option(order.size), seed_text("snap", order), filecoin::SparseData::filled,
                                 ThreadPool::shared());
}

}  // namespace cuzk::apps
