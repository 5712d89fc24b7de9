#include "gadgets/uint32.h"

#include "gadgets/multipack.h"
#include "gadgets/vector_cases.h"

namespace cuzk::gadgets {
namespace {

constexpr const char* kUint32File = "gadgets/uint.json.xz";

/// Operations on words as they come: written once for constraints and values.
struct RotateShiftXor {
  template <class Steps, class Words>
  void operator()(Steps& steps, const Words& in) const {
    const auto mixed = steps.exclusive_or(Steps::rotate_right(in[0], 7), Steps::shift_right(in[0], 3));
    steps.exclusive_or(mixed, Steps::constant(0xca62c1d6));
  }
};
struct Choice {
  template <class Steps, class Words>
  void operator()(Steps& steps, const Words& in) const {
    steps.ch(in[0], in[1], in[2]);
  }
};
struct Majority {
  template <class Steps, class Words>
  void operator()(Steps& steps, const Words& in) const {
    steps.maj(in[0], in[1], in[2]);
  }
};
struct Additions {
  template <class Steps, class Words>
  void operator()(Steps& steps, const Words& in) const {
    using Word = typename Steps::Word;
    const Word k = Steps::constant(0x5a827999);
    Word sum = steps.add(std::array{in[0], in[1]});
    for (unsigned i = 1; i < 9; ++i) {
      std::vector<Word> words{sum, in[0], in[1], k};
      if (i % 2 == 0) words.push_back(Steps::rotate_right(sum, i));
      sum = steps.add(words);
    }
    steps.add(std::array{k, k});
    steps.finish();
  }
};

template <class Operation>
struct WordGadget {
  std::vector<u32> constants;  // words that follow the variable ones

  static std::string key() { return "words"; }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    Uint32Constraints steps(recorder);
    std::vector<Uint32Constraints::Word> words;
    for (std::size_t i = 0; i < in.size(); i += 32) {
      words.push_back(Uint32Constraints::constant(0));
      std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(i), 32, words.back().begin());
    }
    for (const u32 constant : constants) words.push_back(Uint32Constraints::constant(constant));
    Operation()(steps, words);
    return {};
  }
};

/// `count` words of variables, then constants; then the operation.
template <class Operation>
struct WordSteps {
  std::size_t count;
  std::vector<u32> constants;

  static u32 value(std::span<const Fr> aux, std::size_t word) {
    u32 result = 0;
    for (std::size_t i = 0; i < 32; ++i) result |= u32{aux[32 * word + i].is_one()} << i;
    return result;
  }

  void operator()(Compiler& builder, std::span<const Fr>) const {
    std::vector<Signal> bits;
    for (std::size_t i = 0; i < count; ++i) {
      for (const Signal& bit : alloc_bits(builder, 0, 32)) bits.push_back(bit);
    }
    builder.place(WordGadget<Operation>{constants}, bits);
  }
  void operator()(WitnessBuilder& builder, std::span<const Fr> aux) const {
    std::vector<Uint32Values::Word> words;
    for (std::size_t i = 0; i < count; ++i) {
      alloc_bits(builder, value(aux, i), 32);
      words.push_back({value(aux, i), ~u32{0}, 0});
    }
    for (const u32 constant : constants) words.push_back(Uint32Values::constant(constant));
    BitVector bits;
    Uint32Values steps(bits);
    Operation()(steps, words);
    builder.witness().add_bits(bits);
  }
};

u32 constant_of(const std::string& name, const char* role) {
  u32 value = 0;
  const auto entry = test::gadget_case(kUint32File, name);
  for (u32 i = 0; i < 32; ++i) value |= entry["in"][role][i][1].get<u32>() << i;
  return value;
}

TEST(Uint32Gadget, AllocationIsTheVectors) {
  expect_vector(kUint32File, "uint32_alloc",
                [](auto& builder, std::span<const Fr>) { alloc_bits(builder, 0x8f1bbcdc, 32); });
}

TEST(Uint32Gadget, RotationShiftAndXorAreTheVectors) {
  expect_vector(kUint32File, "uint32_rotr_shr_xor", WordSteps<RotateShiftXor>{1, {}});
}

TEST(Uint32Gadget, ChoiceAndMajorityAreTheVectors) {
  expect_vector(kUint32File, "uint32_ch", WordSteps<Choice>{3, {}});
  expect_vector(kUint32File, "uint32_maj", WordSteps<Majority>{3, {}});
}

TEST(Uint32Gadget, ConstantBitsAreFoldedAsInTheVectors) {
  expect_vector(kUint32File, "uint32_ch_constant_c", WordSteps<Choice>{2, {constant_of("uint32_ch_constant_c", "c")}});
  expect_vector(kUint32File, "uint32_maj_constant_c",
                WordSteps<Majority>{2, {constant_of("uint32_maj_constant_c", "c")}});
}

TEST(Uint32Gadget, AdditionsThroughMultiEqAreTheVectors) {
  expect_vector(kUint32File, "uint32_addmany", WordSteps<Additions>{2, {}});
}

TEST(Uint32Gadget, SumBitsCoverTheLargestSum) {
  EXPECT_EQ(sum_bits(2), 33u);
  EXPECT_EQ(sum_bits(4), 34u);
  EXPECT_EQ(sum_bits(5), 35u);
  EXPECT_EQ(sum_bits(8), 35u);
  EXPECT_EQ(sum_bits(9), 36u);
}

TEST(Uint64Gadget, AllocationAndPackingAreTheVectors) {
  expect_vector(kUint32File, "uint64_alloc_pack", [](auto& builder, std::span<const Fr> aux) {
    u64 value = 0;
    for (std::size_t i = 0; i < 64; ++i) value |= u64{aux[i].is_one()} << i;
    pack_into_inputs(builder, alloc_bits(builder, value, 64));
  });
}

}  // namespace
}  // namespace cuzk::gadgets
