#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/error.h"
#include "engine/journal/record_codec.h"
#include "engine/journal_fixture.h"

namespace cuzk::engine {
namespace {

std::vector<u8> joined(const EncodedInput& encoded) {
  std::vector<u8> bytes;
  for (const auto& piece : encoded.pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

TEST(JournalCodec, GivesBackEveryFieldOfAnInput) {
  for (u64 number = 0; number < 8; ++number) {
    const auto input = input_of(number, number * 100);
    const auto encoded = encode_input(input);
    const auto bytes = joined(encoded);
    EXPECT_EQ(encoded.bytes, bytes.size());
    expect_equal(decode_input(input.kind, bytes, "test"), input);
  }
}

RC_GTEST_PROP(JournalCodec, GivesBackAnyInput, (const std::vector<std::string>& proofs, const std::string& text)) {
  ProofInput input;
  input.kind = *rc::gen::elementOf(kKinds);
  for (u64* const number : {&input.sector_size, &input.registered_proof, &input.sector_number, &input.miner_id})
    *number = *rc::gen::arbitrary<u64>();
  input.partition_index = *rc::gen::arbitrary<u32>();
  input.vanilla_proofs = proofs;
  for (std::string* const field :
       {&input.vanilla_proof, &input.randomness, &input.comm_r_old, &input.comm_r_new, &input.comm_d_new})
    *field = *rc::gen::element(text, text + text, std::string(), std::string(1, '\0'));
  expect_equal(decode_input(input.kind, joined(encode_input(input)), "test"), input);
}

RC_GTEST_PROP(JournalCodec, GivesBackAnyStages, (const Stages& stages)) {
  RC_ASSERT(decode_stages(encode_stages(stages), "test") == stages);
}

TEST(JournalCodec, RefusesAnInputThatIsCutOffAnywhereOrGoesOn) {
  const auto input = input_of(1, 100);
  auto bytes = joined(encode_input(input));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode_input(input.kind, std::span(bytes).first(length), "test"), Error) << length;
  }
  bytes.push_back(0);
  EXPECT_THROW(decode_input(input.kind, bytes, "test"), Error);
}

TEST(JournalCodec, TakesNoMemoryForNumbersThatCannotBe) {
  const auto input = input_of(1, 100);
  const auto bytes = joined(encode_input(input));
  for (std::size_t place = 0; place < 14 * 8; place += 8) {  // mark, numbers, count, lengths
    auto wrong = bytes;
    std::fill_n(wrong.begin() + static_cast<std::ptrdiff_t>(place), 8, u8{0xff});
    try {
      const auto found = decode_input(input.kind, wrong, "test");
      EXPECT_LT(place, 5 * 8u);  // a number of the input
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::invalid_input);
    }
  }
}

TEST(JournalCodec, GivesBackStages) {
  const Stages stages{{"", 0}, {"msm_h", 1.0 / 3}, {"largest", std::numeric_limits<double>::max()}};
  const auto bytes = encode_stages(stages);
  EXPECT_EQ(decode_stages(bytes, "test"), stages);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode_stages(std::span(bytes).first(length), "test"), Error) << length;
  }
  EXPECT_TRUE(decode_stages(encode_stages({}), "test").empty());
}

}  // namespace
}  // namespace cuzk::engine
