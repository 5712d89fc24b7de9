// Native checks of a proof of spacetime: what the circuit enforces and what the verifier derives, nothing else.
#include <algorithm>

#include "base/error.h"
#include "filecoin/check_each.h"
#include "filecoin/vanilla_post.h"

namespace cuzk::filecoin {
namespace {

constexpr std::size_t kTogether = 8;  // sectors, and paths: their hashes fill the lanes

/// Some sectors that follow each other.
class SectorsCheck {
 public:
  SectorsCheck(const VanillaPost& post, std::size_t first, ThreadPool& pool, Hashing hashing)
      : post_(post), first_(first), sectors_(std::span(post.sectors).subspan(first)) {
    sectors_ = sectors_.first(std::min(kTogether, sectors_.size()));
    std::vector<Fr> pairs;
    std::vector<PathUp> paths;
    for (const VanillaPostSector& sector : sectors_) {
      pairs.insert(pairs.end(), {sector.comm_c, sector.comm_r_last});
      for (const MerkleOpening& opening : sector.openings)
        paths.push_back({opening.leaf, leaf_of(opening.path), &opening.path});
    }
    commitments_ = poseidon_hashes(2, pairs, hashing);
    roots_ = roots_of(paths, pool, hashing);
  }

  void run() const {
    std::span<const Fr> roots(roots_);
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
      const std::size_t openings = sectors_[i].openings.size();
      check_sector(i, roots.first(openings));
      roots = roots.subspan(openings);
    }
  }

 private:
  /// Some threads share the paths: the one sector of a WinningPoSt has 66 of them, and its proof is waited for.
  static std::vector<Fr> roots_of(std::span<const PathUp> paths, ThreadPool& pool, Hashing hashing) {
    std::vector<Fr> roots(paths.size());
    pool.parallel_for(0, (paths.size() + kTogether - 1) / kTogether, 1, [&](std::size_t begin, std::size_t end) {
      const std::size_t first = begin * kTogether, last = std::min(end * kTogether, paths.size());
      std::ranges::copy(poseidon_roots(paths.subspan(first, last - first), hashing),
                        roots.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return roots;
  }

  void check_sector(std::size_t i, std::span<const Fr> roots) const {
    const VanillaPostSector& sector = sectors_[i];
    const auto fail = [&](const std::string& fault) {
      throw invalid_input("vanilla proof {} (sector {}): {}", first_ + i, sector.number, fault);
    };
    if (!(commitments_[i] == sector.comm_r)) fail("comm_r is not the hash of comm_c and comm_r_last");
    const std::vector<u64> challenges = post_.challenges(first_ + i);
    for (std::size_t k = 0; k < challenges.size(); ++k) {
      const u64 leaf = leaf_of(sector.openings[k].path);
      if (leaf != challenges[k])
        fail(
            fmt::format("challenge {}: the path belongs to node {}, the challenge is node {}", k, leaf, challenges[k]));
      if (!(roots[k] == sector.comm_r_last))
        fail(fmt::format("challenge {} (node {}): leaf and path do not lead to comm_r_last", k, challenges[k]));
    }
  }

  const VanillaPost& post_;
  std::size_t first_;
  std::span<const VanillaPostSector> sectors_;
  std::vector<Fr> commitments_, roots_;
};

}  // namespace

void check_post(const VanillaPost& post, ThreadPool& pool, Hashing hashing) {
  check_each(pool, (post.sectors.size() + kTogether - 1) / kTogether,
             [&](std::size_t i) { SectorsCheck(post, i * kTogether, pool, hashing).run(); });
}

}  // namespace cuzk::filecoin
