#include "gadgets/sha256.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "gadgets/bits.h"
#include "gadgets/label.h"
#include "gadgets/multipack.h"
#include "hash/sha256.h"
#include "support/r1cs_bin.h"
#include "support/random.h"
#include "support/vectors.h"

namespace cuzk::gadgets {
namespace {

/// Runs a circuit with both builders and compares constraints and values with a case of the vectors.
template <class Synthesize>
void expect_case(const std::string& file, const std::string& name, Synthesize&& synthesize) {
  const test::R1cs expected = test::read_gadget_case(file, name);
  Compiler compiler;
  synthesize(compiler);
  EXPECT_TRUE(test::same_constraints(std::move(compiler).finish(), expected)) << name;
  WitnessBuilder builder;
  synthesize(builder);
  EXPECT_TRUE(test::same_values(std::move(builder).finish(), expected)) << name;
}

/// Values of the aux variables first, first + 1, ... as bits.
u64 bits_of(const test::R1cs& system, std::size_t first, unsigned count) {
  u64 value = 0;
  for (unsigned i = 0; i < count; ++i) value |= u64{system.aux_values[first + i].is_one()} << i;
  return value;
}

template <class Builder>
typename Builder::Bits alloc_message(Builder& builder, const test::R1cs& system, std::size_t size) {
  typename Builder::Bits message;
  for (std::size_t i = 0; i < size; i += 64) append(message, alloc_bits(builder, bits_of(system, i, 64), 64));
  return message;
}

TEST(Sha256Gadget, MessagesAreTheVectors) {
  for (const auto& [name, size] : {std::pair{"sha256_one_block", 256}, {"sha256_two_blocks", 512}}) {
    const test::R1cs system = test::read_gadget_case("gadgets/sha256.json", name);
    expect_case("gadgets/sha256.json", name, [&, size = size](auto& builder) {
      sha256(builder, alloc_message(builder, system, static_cast<std::size_t>(size)));
    });
  }
}

TEST(Sha256Gadget, NodesAreTheVectors) {
  for (const char* name : {"sha256_hash2", "sha256_hash_multi_leaf_2"}) {
    const test::R1cs system = test::read_gadget_case("gadgets/sha256.json", name);
    expect_case("gadgets/sha256.json", name, [&](auto& builder) {
      const auto left = builder.alloc_number(system.aux_values[0]);
      const auto right = builder.alloc_number(system.aux_values[1]);
      sha256_node(builder, left, right);
    });
  }
}

Digest digest_of(const BitString& bits) {
  Digest digest{};
  for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<u8>(reverse_bits(bits.chunk(8 * i, 8).values, 8));
  return digest;
}

/// A message of bits that are variables where the mask says so.
template <class Builder>
typename Builder::Bits mixed_message(Builder& builder, std::span<const u64> values, std::span<const u64> variables) {
  typename Builder::Bits message;
  for (std::size_t i = 0; i < 64 * values.size(); ++i) {
    const u64 bit = (values[i / 64] >> (i % 64)) & 1;
    if (((variables[i / 64] >> (i % 64)) & 1) != 0) {
      append(message, alloc_bits(builder, bit, 1));
    } else {
      append_constant(message, bit, 1);
    }
  }
  return message;
}

TEST(Sha256Gadget, ConstantBitsAnywhereGiveASatisfiedCircuitAndTheDigest) {
  test::Random random(11);
  for (std::size_t words = 0; words < 12; ++words) {
    std::vector<u64> values(words), variables(words);
    for (std::size_t i = 0; i < words; ++i) {
      values[i] = random();
      variables[i] = i % 3 == 0 ? random() & random() : i % 3 == 1 ? ~u64{0} : random() | random();
    }
    Compiler compiler;
    sha256(compiler, mixed_message(compiler, values, variables));
    WitnessBuilder builder;
    const BitString bits = sha256(builder, mixed_message(builder, values, variables));
    EXPECT_EQ(test::first_unsatisfied(std::move(compiler).finish(), std::move(builder).finish()), std::nullopt);

    std::vector<u8> message;
    for (std::size_t i = 0; i < 8 * words; ++i) {
      message.push_back(static_cast<u8>(reverse_bits(values[i / 8] >> (8 * (i % 8)), 8)));
    }
    EXPECT_EQ(digest_of(bits), cuzk::sha256(message));
  }
}

TEST(Sha256Gadget, BlocksOfOneShapeShareATemplate) {
  Compiler compiler;
  std::vector<Signal> message;
  for (int i = 0; i < 64; ++i) append(message, alloc_bits(compiler, 0, 64));
  sha256(compiler, message);
  const r1cs::Circuit circuit = std::move(compiler).finish();
  EXPECT_EQ(circuit.templates().size(), 4u);  // the message's bits; first block, the others, padding alone
  EXPECT_EQ(circuit.instances().size(), 64u + 9u);
}

TEST(LabelGadget, LabelsAreTheVectors) {
  const std::string file = "gadgets/create_label.json.xz";
  for (const auto& [layer, parents] : {std::pair{1u, 6u}, {2u, 14u}}) {
    const std::string name = "create_label_layer_" + std::to_string(layer);
    const test::R1cs system = test::read_gadget_case(file, name);
    expect_case(file, name, [&, layer = layer, parents = parents](auto& builder) {
      using Bits = typename std::remove_reference_t<decltype(builder)>::Bits;
      using Number = typename std::remove_reference_t<decltype(builder)>::Number;
      const auto replica_id = builder.alloc_number(system.aux_values[0]);
      const Bits replica_id_bits = reverse_bit_numbering(to_bits(builder, replica_id));
      std::vector<Number> numbers;
      for (u32 i = 0; i < parents; ++i) numbers.push_back(builder.alloc_number(system.aux_values[256 + i]));
      const Bits node = alloc_bits(builder, bits_of(system, 256 + parents, 64), 64);
      pack_into_inputs(builder, node);
      std::vector<Bits> bits;
      for (const Number& number : numbers) bits.push_back(reverse_bit_numbering(to_bits(builder, number)));
      create_label(builder, replica_id_bits, layer, node, bits);
    });
  }
}

}  // namespace
}  // namespace cuzk::gadgets
