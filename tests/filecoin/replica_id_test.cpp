#include "filecoin/replica_id.h"

#include <gtest/gtest.h>

#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

TEST(ReplicaId, ProverIdsAreLeb128) {
  const auto vectors = test::vector_json("primitives/sector.json");
  for (const auto& item : vectors.at("prover_ids"))
    EXPECT_EQ(to_hex(prover_id(item.at("miner_id").get<u64>())), item.at("prover_id"));
  EXPECT_EQ(prover_id(~u64{0})[9], 1);
}

TEST(ReplicaId, IsThatOfTheVectors) {
  const auto vectors = test::vector_json("primitives/sector.json");
  for (const auto& item : vectors.at("replica_ids"))
    EXPECT_EQ(to_hex(replica_id(node_of_hex(item.at("prover_id")), item.at("sector_id").get<u64>(),
                                node_of_hex(item.at("ticket")), node_of_hex(item.at("comm_d")),
                                node_of_hex(item.at("porep_id")))),
              item.at("replica_id"));
}

TEST(ReplicaId, CommRIsThatOfTheVectors) {
  const auto vectors = test::vector_json("primitives/sector.json");
  for (const auto& item : vectors.at("comm_r"))
    EXPECT_EQ(to_hex(comm_r(*Fr::from_bytes(node_of_hex(item.at("comm_c"))),
                            *Fr::from_bytes(node_of_hex(item.at("comm_r_last"))))
                         .to_bytes()),
              item.at("comm_r"));
}

}  // namespace
}  // namespace cuzk::filecoin
