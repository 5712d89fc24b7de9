#include "gadgets/por.h"

#include "base/hex.h"
#include "gadgets/boolean.h"
#include "gadgets/vector_cases.h"
#include "support/vectors.h"

namespace cuzk::gadgets {
namespace {

using nlohmann::json;

constexpr const char* kPorFile = "gadgets/por.json.xz";

Fr element(const json& text) {
  const std::vector<u8> bytes = from_hex(text.get<std::string>());
  return Fr::from_bytes(std::span<const u8, 32>(bytes)).value();
}

MerklePath path_of(const json& levels) {
  MerklePath path;
  for (const json& level : levels) {
    MerkleStep& step = path.emplace_back();
    step.index = level[0].get<u32>();
    for (const json& sibling : level[1]) step.siblings.push_back(element(sibling));
  }
  return path;
}

/// Root and leaf stand before the path in all these cases.
void expect_por(const char* file, const std::string& name, TreeHash hash) {
  const MerklePath path = path_of(test::gadget_case(file, name)["in"]["path"]);
  expect_vector(file, name, [&](auto& builder, std::span<const Fr> values) {
    const auto root = builder.alloc_number(values[0]);
    const auto leaf = builder.alloc_number(values[1]);
    por(builder, leaf, root, path, hash);
  });
}

TEST(Por, PathsOfAllShapesEqualTheVectors) {
  for (const char* name : {"por_8-0-0", "por_8-2-0", "por_8-8-0", "por_8-8-2", "por_8-0-0_leaf_var"})
    expect_por(kPorFile, name, TreeHash::poseidon);
}

TEST(Por, PublicRootEqualsTheVector) {
  const char* name = "por_8-0-0_public_root";
  const MerklePath path = path_of(test::gadget_case(kPorFile, name)["in"]["path"]);
  expect_vector(kPorFile, name, [&](auto& builder, std::span<const Fr> values) {
    const auto root = builder.alloc_number(values[0]);
    por(builder, builder.alloc_number(values[1]), root, path, TreeHash::poseidon);
    inputize(builder, root);
  });
}

TEST(Por, PathAtGivenBitsEqualsTheVector) {
  const char* name = "por_no_challenge_input_8-0-0";
  const u32 challenge = test::gadget_case(kPorFile, name)["in"]["challenge"].get<u32>();
  expect_vector(kPorFile, name, [&]<class Builder>(Builder& builder, std::span<const Fr> values) {
    const auto root = builder.alloc_number(values[0]);
    const auto leaf = builder.alloc_number(values[1]);
    const auto index = alloc_bits(builder, challenge, 6);
    std::vector<std::vector<typename Builder::Number>> siblings(2);
    for (std::size_t i = 0; i < 14; ++i) siblings[i / 7].push_back(builder.alloc_number(values[8 + i]));
    por_at(builder, leaf, root, index, siblings, TreeHash::poseidon);
  });
}

TEST(Por, BinaryPathOfSha256EqualsTheVector) {
  expect_por("gadgets/por_tree_d.json", "por_tree_d_4_leaves", TreeHash::sha256);
}

TEST(Por, LevelsShareTheirTemplates) {
  Compiler compiler;
  const Signal root = compiler.alloc_number(), leaf = compiler.alloc_number();
  const MerklePath path(5, MerkleStep{SmallArray<Fr>(7, Fr::zero()), 0});
  for (int i = 0; i < 3; ++i) por(compiler, leaf, root, path, TreeHash::poseidon);
  const r1cs::Circuit circuit = std::move(compiler).finish();
  EXPECT_EQ(circuit.instances().size(), 3u * (5 * 2 + 2));
  EXPECT_EQ(circuit.templates().size(), 4u);  // index bits, level, packing, equality
}

}  // namespace
}  // namespace cuzk::gadgets
