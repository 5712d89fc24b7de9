#include "hash/poseidon_constants.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"
#include "base/hex.h"
#include "hash/sha256.h"
#include "hash/vector_values.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;

/// SHA-256 over the canonical bytes of many elements.
class ElementDigest {
 public:
  ElementDigest& add(std::span<const Fr> elements) {
    for (const Fr& element : elements) sha_.update(element.to_bytes());
    return *this;
  }
  std::string hex() { return to_hex(sha_.finish()); }

 private:
  Sha256 sha_;
};

std::string sparse_digest(const PoseidonConstants& constants) {
  ElementDigest digest;
  for (const PoseidonSparse& sparse : constants.sparse) digest.add(sparse.column).add(sparse.row);
  return digest.hex();
}

void expect_elements(const json& expected, std::span<const Fr> found, const std::string& what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(expected[i].get<std::string>(), hex_of(found[i])) << what << ' ' << i;
}

void expect_matrix(const json& expected, const PoseidonMatrix& found, const std::string& what) {
  ASSERT_EQ(expected.size(), found.width) << what;
  for (std::size_t row = 0; row < found.width; ++row)
    expect_elements(expected[row], std::span(found.items).subspan(row * found.width, found.width), what);
}

TEST(PoseidonConstants, DigestsEqualTheVectors) {
  for (const json& set : test::vector_json("primitives/poseidon.json")) {
    SCOPED_TRACE(set["name"].get<std::string>() + " of arity " + std::to_string(set["arity"].get<int>()));
    const PoseidonConstants& constants = PoseidonConstants::of_arity(set["arity"].get<std::size_t>());
    EXPECT_EQ(set["width"].get<std::size_t>(), constants.width);
    EXPECT_EQ(set["full_rounds"].get<std::size_t>(), kPoseidonFullRounds);
    EXPECT_EQ(set["partial_rounds"].get<std::size_t>(), constants.partial_rounds);
    EXPECT_EQ(set["mds_sha256"], ElementDigest().add(constants.mds.items).hex());
    EXPECT_EQ(set["round_constants_sha256"], ElementDigest().add(constants.round_constants).hex());
    EXPECT_EQ(set["compressed_round_constants_sha256"], ElementDigest().add(constants.compressed).hex());
    EXPECT_EQ(set["pre_sparse_sha256"], ElementDigest().add(constants.pre_sparse.items).hex());
    EXPECT_EQ(set["sparse_sha256"], sparse_digest(constants));
  }
}

TEST(PoseidonConstants, ValuesEqualTheVectors) {
  for (const json& set : test::vector_json("primitives/poseidon_constants.json.xz")) {
    const PoseidonConstants& constants = PoseidonConstants::of_arity(set["arity"].get<std::size_t>());
    SCOPED_TRACE(constants.arity);
    expect_matrix(set["mds"], constants.mds, "mds");
    expect_elements(set["round_constants"], constants.round_constants, "round constants");
    expect_elements(set["compressed_round_constants"], constants.compressed, "compressed round constants");
    expect_matrix(set["pre_sparse"], constants.pre_sparse, "pre-sparse");
    ASSERT_EQ(set["sparse"].size(), constants.sparse.size());
    for (std::size_t i = 0; i < constants.sparse.size(); ++i) {
      expect_elements(set["sparse"][i]["w_hat"], constants.sparse[i].column, "column");
      expect_elements(set["sparse"][i]["v_rest"], constants.sparse[i].row, "row");
    }
  }
}

TEST(PoseidonConstants, AreMadeOnceWhoeverAsks) {
  std::vector<const PoseidonConstants*> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& place : found) threads.emplace_back([&place] { place = &PoseidonConstants::of_arity(5); });
  }
  for (const PoseidonConstants* constants : found) EXPECT_EQ(constants, found[0]);
}

TEST(PoseidonConstants, RefuseAnArityThatNobodyDefined) {
  EXPECT_THROW(PoseidonConstants::of_arity(0), Error);
  EXPECT_THROW(PoseidonConstants::of_arity(37), Error);
}

}  // namespace
}  // namespace cuzk
