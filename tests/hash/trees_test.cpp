// Trees and columns of the vectors, built by the plainest code from the hashes alone.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "base/hex.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "hash/vector_values.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;

/// x_{i+1} = x_i^2 + i.
std::vector<Fr> chain(Fr first, std::size_t count) {
  std::vector<Fr> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(first);
    first = first.squared() + Fr::from_u64(i);
  }
  return result;
}

using Hash = std::function<Fr(std::span<const Fr>)>;

Fr sha256_pair(std::span<const Fr> pair) {
  return Fr::from_bytes(sha256_node(pair[0].to_bytes(), pair[1].to_bytes())).value();
}

std::vector<Fr> level_above(std::span<const Fr> level, std::size_t arity, const Hash& hash) {
  std::vector<Fr> above;
  for (std::size_t at = 0; at < level.size(); at += arity) above.push_back(hash(level.subspan(at, arity)));
  return above;
}

std::vector<Fr> reduce(std::vector<Fr> level, std::size_t arity, std::size_t until, const Hash& hash) {
  while (level.size() > until) level = level_above(level, arity, hash);
  return level;
}

std::vector<std::size_t> numbers(const std::string& shape) {
  std::vector<std::size_t> result{0};
  for (const char c : shape) {
    if (c == '-')
      result.push_back(0);
    else
      result.back() = 10 * result.back() + static_cast<std::size_t>(c - '0');
  }
  return result;
}

Fr root_of_shape(std::vector<Fr> leaves, const std::string& shape, const Hash& hash) {
  const std::vector<std::size_t> arities = numbers(shape);
  std::size_t roots = 1;
  for (std::size_t i = 1; i < 3; ++i) roots *= arities[i] == 0 ? 1 : arities[i];
  std::vector<Fr> level = reduce(std::move(leaves), arities[0], roots, hash);
  for (std::size_t i = 1; i < 3; ++i)
    if (arities[i] != 0) level = level_above(level, arities[i], hash);
  return level.at(0);
}

TEST(Trees, RootsEqualTheVectors) {
  for (const json& tree : nlohmann::json(test::vector_json("primitives/trees.json")["trees"])) {
    const std::string shape = tree["shape"].get<std::string>();
    SCOPED_TRACE(shape);
    const std::vector<Fr> leaves = chain(element(tree["leaf0"]), tree["leaves"].get<std::size_t>());
    const bool binary = !std::isdigit(shape[0]);
    const Fr root = binary ? reduce(leaves, 2, 1, sha256_pair).at(0)
                           : root_of_shape(leaves, shape, [](std::span<const Fr> in) { return poseidon(in); });
    EXPECT_EQ(hex_of(root), tree["root"].get<std::string>());
  }
}

TEST(Trees, ColumnsEqualTheVectors) {
  for (const json& column : nlohmann::json(test::vector_json("primitives/trees.json")["columns"]))
    EXPECT_EQ(hex_of(poseidon(elements(column["rows"]))), column["hash"].get<std::string>());
}

TEST(Trees, PairsEqualTheVectors) {
  for (const json& pair : nlohmann::json(test::vector_json("primitives/trees.json")["poseidon_hash2"]))
    EXPECT_EQ(hex_of(poseidon(std::vector{element(pair["a"]), element(pair["b"])})), pair["hash2"].get<std::string>());
}

TEST(Trees, CommRIsTheHashOfItsParts) {
  for (const json& entry : nlohmann::json(test::vector_json("primitives/sector.json")["comm_r"]))
    EXPECT_EQ(hex_of(poseidon(std::vector{element(entry["comm_c"]), element(entry["comm_r_last"])})),
              entry["comm_r"].get<std::string>());
}

}  // namespace
}  // namespace cuzk
