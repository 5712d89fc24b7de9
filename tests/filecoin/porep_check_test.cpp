#include "filecoin/porep_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/both_hashings.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

class PorepCheck : public testing::Test {
 protected:
  static constexpr u64 kMiner = 1000;

  void refused(std::string_view words) {
    EXPECT_THAT(fault_of([this](Hashing how) { check_porep(porep_, kMiner, ThreadPool::shared(), how); }),
                testing::HasSubstr(std::string(words)));
  }

  PorepChallenge& challenge() { return porep_.partitions[0].challenges[1]; }

  VanillaPorep porep_ = decode_c1(c1_of("2KiB/s2-v1_1"));
};

TEST_F(PorepCheck, AcceptsEverySector) {
  for (const auto& folder : kSectorFolders)
    EXPECT_NO_THROW(
        check_porep(decode_c1(c1_of(folder)), sector_of(folder).at("miner_id").get<u64>(), ThreadPool::shared()))
        << folder;
}

TEST_F(PorepCheck, AcceptsAPartitionOfA32GiBSector) {
  const VanillaPorep porep = decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz"));
  EXPECT_NO_THROW(check_porep_partition(porep, 7));
}

TEST_F(PorepCheck, RefusesAnotherMinerSectorTicketOrData) {
  EXPECT_THROW(check_porep(porep_, kMiner + 1, ThreadPool::shared()), Error);
  porep_.sector_number ^= 1;
  refused("replica_id is ");
}

TEST_F(PorepCheck, RefusesAnotherSeed) {
  porep_.seed[0] ^= 1;
  refused("partition 0 challenge 0 (node 55): the node is not the challenge");
}

TEST_F(PorepCheck, RefusesAPathOfAnotherNode) {
  auto& step = challenge().expander_parents[2].path[1];
  step.index = (step.index + 1) % 8;
  refused("challenge 1 (node 6): expander parent 2 belongs to node");
}

TEST_F(PorepCheck, RefusesAPathOfAnotherNodeInEachTree) {
  const auto turned = [](gadgets::MerklePath& path, u32 arity) { path[0].index = (path[0].index + 1) % arity; };
  const PorepChallenge good = challenge();
  turned(challenge().data_path, 2);
  refused("challenge 1 (node 6): the path in tree D belongs to node 7, expected node 6");
  challenge() = good;
  turned(challenge().replica_path, 8);
  refused("challenge 1 (node 6): the path in tree R-last belongs to node 7, expected node 6");
  challenge() = good;
  turned(challenge().column_path, 8);
  refused("challenge 1 (node 6): the path in tree C belongs to node 7, expected node 6");
  challenge() = good;
  turned(challenge().drg_parents[3].path, 8);
  refused("challenge 1 (node 6): DRG parent 3 belongs to node");
}

TEST_F(PorepCheck, RefusesAnotherDataLeafOrSibling) {
  challenge().data_leaf = challenge().data_leaf + Fr::one();
  refused("challenge 1 (node 6): the path in tree D does not lead to comm_d");
  porep_ = decode_c1(c1_of("2KiB/s2-v1_1"));
  challenge().data_path[3].siblings[0] = Fr::one();
  refused("challenge 1 (node 6): the path in tree D does not lead to comm_d");
}

TEST_F(PorepCheck, RefusesAnotherRowOfAParent) {
  const PorepChallenge good = challenge();
  challenge().drg_parents[4].rows[1] = Fr::one();
  refused("the column of DRG parent 4");
  refused("; layer 2: the parents' labels do not give the node's label");
  challenge() = good;
  challenge().expander_parents[5].rows[0] = Fr::one();
  refused("the column of expander parent 5");
  refused("; layer 2: the parents' labels do not give the node's label");
  challenge() = good;
  challenge().drg_parents[4].path[0].siblings[0] = Fr::one();
  EXPECT_THAT(fault_of([this](Hashing how) { check_porep(porep_, kMiner, ThreadPool::shared(), how); }),
              testing::EndsWith("and its path do not lead to comm_c"))
      << "no label is wrong";
}

/// A node of another replica: all of its columns are right, only the labels are those of another replica id.
TEST_F(PorepCheck, NamesTheLayerWhereTheLabelsOfAnotherNodeBegin) {
  auto& stated = challenge().stated_labels;
  ASSERT_EQ(stated.size(), 2u);
  challenge().column_path[0].siblings[3] = Fr::one();
  stated[0][0] ^= 1;
  refused("do not lead to comm_c; layer 1: the parents' labels do not give the node's label");
}

TEST_F(PorepCheck, RefusesAnotherSiblingInTreeC) {
  challenge().column_path[0].siblings[3] = Fr::one();
  refused("the labels of layers 1 to 2");
}

TEST_F(PorepCheck, RefusesAnotherSiblingInTreeR) {
  challenge().replica_path[1].siblings[6] = Fr::one();
  refused("do not lead to comm_r_last");
}

TEST_F(PorepCheck, NamesTheFirstOfSeveralFaults) {
  porep_.partitions[0].challenges[1].drg_parents[2].rows[0] = Fr::one();
  porep_.partitions[0].challenges[0].replica_path[0].siblings[1] = Fr::one();
  refused("challenge 0 (node 55): the encoded node");
  porep_.partitions[0].challenges[0].expander_parents[7].path[0].siblings[2] = Fr::one();
  refused("challenge 0 (node 55): the column of expander parent 7");
}

TEST_F(PorepCheck, RefusesAnotherCommR) {
  porep_.partitions[0].comm_r = Fr::one();
  refused("partition 0: comm_r is not the hash");
}

}  // namespace
}  // namespace cuzk::filecoin
