#include "engine/request.h"

#include <gtest/gtest.h>

#include <set>

namespace cuzk::engine {
namespace {

TEST(ProofInputDigest, EveryFieldCounts) {
  ProofInput base;
  base.vanilla_proof = "body";
  base.vanilla_proofs = {"one", "two"};
  std::set<InputDigest> digests{digest(base)};
  const auto changed = [&](auto&& change) {
    ProofInput input = base;
    change(input);
    EXPECT_TRUE(digests.insert(digest(input)).second);
  };
  changed([](ProofInput& i) { i.kind = Kind::winning_post; });
  changed([](ProofInput& i) { i.sector_size = 2048; });
  changed([](ProofInput& i) { i.registered_proof = 5; });
  changed([](ProofInput& i) { i.sector_number = 1; });
  changed([](ProofInput& i) { i.miner_id = 1; });
  changed([](ProofInput& i) { i.partition_index = 1; });
  changed([](ProofInput& i) { i.vanilla_proof.front() = 'B'; });
  changed([](ProofInput& i) { i.vanilla_proofs = {"onetwo"}; });
  changed([](ProofInput& i) { i.vanilla_proofs = {"onet", "wo"}; });
  changed([](ProofInput& i) { i.vanilla_proofs = {"two", "one"}; });
  changed([](ProofInput& i) { i.randomness.assign(2, 'r'); });
  changed([](ProofInput& i) { i.comm_r_old.assign(2, 'r'); });
  changed([](ProofInput& i) { i.comm_r_new.assign(2, 'r'); });
  changed([](ProofInput& i) { i.comm_d_new.assign(2, 'r'); });
  EXPECT_EQ(digest(base), digest(ProofInput(base)));
}

TEST(Kinds, HaveTheNamesAndPrioritiesThatClientsKnow) {
  EXPECT_EQ(name(Kind::porep), "porep-c2");
  EXPECT_EQ(label(Kind::winning_post), "winning_post");
  EXPECT_EQ(default_priority(Kind::winning_post), Priority::critical);
  EXPECT_EQ(default_priority(Kind::window_post), Priority::high);
  EXPECT_EQ(default_priority(Kind::porep), Priority::normal);
  EXPECT_EQ(default_priority(Kind::snap), Priority::normal);
}

}  // namespace
}  // namespace cuzk::engine
