#include "gadgets/update.h"

#include "gadgets/bits.h"
#include "gadgets/insertion.h"
#include "gadgets/multipack.h"
#include "gadgets/por.h"
#include "gadgets/poseidon.h"
#include "gadgets/vector_cases.h"

namespace cuzk::gadgets {
namespace {

using Values = std::span<const Fr>;

/// One of the two sector sizes that the vectors show.
struct Size {
  const char* file;
  unsigned partition_bits;
  unsigned challenge_bits;  ///< without the partition's
  std::array<unsigned, 6> hs;
  std::size_t apex_leaves;
};

constexpr Size k2KiB{"gadgets/update_2k.json.xz", 0, 6, {1, 1, 1, 1, 1, 1}, 8};
constexpr Size k8MiB{"gadgets/update_8m.json.xz", 2, 16, {7, 8, 9, 10, 11, 12}, 128};

/// Numbers that the circuit made before the part.
template <class Builder>
std::vector<typename Builder::Number> outside(Builder& builder, Values values) {
  std::vector<typename Builder::Number> numbers;
  for (const Fr& value : values) numbers.push_back(builder.alloc_number(value));
  return numbers;
}

/// Bits that the circuit made before the part: their constraints are not the part's.
std::vector<Signal> outside_bits(Compiler& builder, Values values) { return outside(builder, values); }
BitString outside_bits(WitnessBuilder& builder, Values values) {
  BitString bits;
  for (const Fr& value : outside(builder, values)) bits.append({.values = value.is_one(), .variables = 1}, 1);
  return bits;
}

class UpdateGadgetsOf : public testing::TestWithParam<Size> {};

TEST_P(UpdateGadgetsOf, HeadEqualsTheVector) {
  const Size& size = GetParam();
  const unsigned select_bits = static_cast<unsigned>(size.hs.size());
  expect_vector(size.file, "head", [&](auto& builder, Values values) {
    const auto k_and_h_select = builder.alloc_number(values[0]);
    inputize(builder, k_and_h_select);
    const auto bits = decompose(builder, k_and_h_select, size.partition_bits + select_bits);
    pack_bits(builder, slice(bits, 0, size.partition_bits));
    for (const Fr& commitment : values.last(3)) inputize(builder, builder.alloc_number(commitment));
  });
}

TEST_P(UpdateGadgetsOf, PartitionEqualsTheVector) {
  const Size& size = GetParam();
  expect_vector(size.file, "pack_partition_bits", [&](auto& builder, Values values) {
    pack_bits(builder, outside_bits(builder, values.first(size.partition_bits)));
  });
}

TEST_P(UpdateGadgetsOf, PhiEqualsTheVector) {
  expect_vector(GetParam().file, "phi", [&](auto& builder, Values values) {
    const auto comm_r_old = builder.alloc_number(values[0]);
    const auto comm_d_new = builder.alloc_number(values[1]);
    poseidon(builder, std::array{comm_d_new, comm_r_old}, PoseidonTag::randomness);
  });
}

TEST_P(UpdateGadgetsOf, ChallengesEqualTheVector) {
  const Size& size = GetParam();
  expect_vector(size.file, "gen_challenge_bits", [&](auto& builder, Values values) {
    const auto partition = builder.alloc_number(values[0]);
    const auto comm_r_new = builder.alloc_number(values[1]);
    const auto challenges = challenge_bits(builder, comm_r_new, partition, {10, size.challenge_bits});
    ASSERT_EQ(challenges.size(), 10u);
    for (const auto& challenge : challenges) EXPECT_EQ(challenge.size(), size.challenge_bits);
  });
}

/// Only the bits that are used stand outside: the partition's, h_select, the challenge's highest.
TEST_P(UpdateGadgetsOf, HighBitsEqualTheVector) {
  const Size& size = GetParam();
  const unsigned used = size.hs.back() - size.partition_bits;
  expect_vector(size.file, "get_challenge_high_bits", [&](auto& builder, Values values) {
    const auto partition = outside_bits(builder, values.first(size.partition_bits));
    const auto h_select = outside_bits(builder, values.subspan(size.partition_bits, size.hs.size()));
    auto challenge = outside_bits(builder, values.subspan(size.partition_bits + size.hs.size(), used));
    append(challenge, partition);
    high_bits(builder, challenge, h_select, size.hs);
  });
}

TEST_P(UpdateGadgetsOf, RhoEqualsTheVector) {
  expect_vector(GetParam().file, "rho", [&](auto& builder, Values values) {
    poseidon(builder, outside(builder, values.first(2)), PoseidonTag::randomness);
  });
}

TEST_P(UpdateGadgetsOf, EncodingEqualsTheVector) {
  expect_vector(GetParam().file, "leaf_r_new", [&](auto& builder, Values values) {
    const auto rho = builder.alloc_number(values[0]);
    const auto old = builder.alloc_number(values[1]);
    const auto data = builder.alloc_number(values[2]);
    encode_update(builder, old, data, rho);
  });
}

TEST_P(UpdateGadgetsOf, ApexLeafEqualsTheVector) {
  const Size& size = GetParam();
  const unsigned bits = static_cast<unsigned>(std::countr_zero(size.apex_leaves));
  expect_vector(size.file, "select_apex_leaf", [&](auto& builder, Values values) {
    const auto leaves = outside(builder, values.first(size.apex_leaves));
    select(builder, leaves, outside_bits(builder, values.subspan(size.apex_leaves, bits)));
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, UpdateGadgetsOf, testing::Values(k2KiB, k8MiB),
                         [](const auto& test) { return test.param.partition_bits == 0 ? "2KiB" : "8MiB"; });

TEST(UpdateGadgets, PathInTreeREqualsTheVector) {
  expect_vector(k2KiB.file, "por_tree_r_new", []<class Builder>(Builder& builder, Values values) {
    const auto root = builder.alloc_number(values[0]);
    const auto index = outside_bits(builder, values.subspan(1, 6));
    const auto leaf = builder.alloc_number(values[7]);
    std::vector<std::vector<typename Builder::Number>> siblings;
    for (std::size_t level = 0; level < 2; ++level)
      siblings.push_back(outside(builder, values.subspan(8 + 7 * level, 7)));
    por_at(builder, leaf, root, index, siblings, TreeHash::poseidon);
  });
}

TEST(UpdateGadgets, ApexOfOnePartitionEqualsTheVectors) {
  expect_vector(k2KiB.file, "apex_gadget_partition-tree_por", [](auto& builder, Values values) {
    const auto comm_d = builder.alloc_number(values[0]);
    apex_por(builder, outside(builder, values.subspan(1, 1)), {}, {}, comm_d);
  });
  expect_vector(k2KiB.file, "update_2k_apex_gadget", [](auto& builder, Values values) {
    const auto comm_d = builder.alloc_number(values[0]);
    apex_por(builder, outside(builder, values.subspan(1, 8)), {}, {}, comm_d);
  });
}

TEST(UpdateGadgets, ApexRootAmongPartitionsEqualsTheVector) {
  expect_vector(k8MiB.file, "update_8m_apex_gadget_partition-tree_por",
                []<class Builder>(Builder& builder, Values values) {
                  const auto partition = outside_bits(builder, values.first(2));
                  const auto comm_d = builder.alloc_number(values[2]);
                  std::vector<std::vector<typename Builder::Number>> path;
                  for (std::size_t i = 0; i < 2; ++i) path.push_back(outside(builder, values.subspan(3 + i, 1)));
                  apex_por(builder, outside(builder, values.subspan(5, 1)), partition, path, comm_d);
                });
}

}  // namespace
}  // namespace cuzk::gadgets
