#include "gadgets/insertion.h"

#include <fmt/format.h>

#include "gadgets/boolean.h"
#include "gadgets/vector_cases.h"
#include "support/random.h"

namespace cuzk::gadgets {
namespace {

constexpr const char* kInsertionFile = "gadgets/insertion.json";

template <class Builder>
std::vector<typename Builder::Number> alloc_numbers(Builder& builder, std::span<const Fr> values) {
  std::vector<typename Builder::Number> numbers;
  for (const Fr& value : values) numbers.push_back(builder.alloc_number(value));
  return numbers;
}

TEST(Insertion, PickEqualsTheVectors) {
  for (u32 condition = 0; condition < 2; ++condition)
    expect_vector(kInsertionFile, "pick_" + std::to_string(condition), [&](auto& builder, std::span<const Fr> values) {
      const auto chosen = builder.alloc_number(values[0]);
      const auto other = builder.alloc_number(values[1]);
      select(builder, std::array{other, chosen}, alloc_bits(builder, condition, 1));
    });
}

void expect_insertion(unsigned bits, u32 index) {
  const std::size_t size = std::size_t{1} << bits;
  expect_vector(kInsertionFile, fmt::format("insert_{}_at_{}", size, index),
                [&](auto& builder, std::span<const Fr> values) {
                  const auto element = builder.alloc_number(values[0]);
                  const auto place = alloc_bits(builder, index, bits);
                  const auto others = alloc_numbers(builder, values.subspan(1 + bits, size - 1));
                  insert(builder, element, place, others);
                });
}

TEST(Insertion, InsertEqualsTheVectors) {
  for (u32 index = 0; index < 2; ++index) expect_insertion(1, index);
  for (u32 index = 0; index < 4; ++index) expect_insertion(2, index);
  for (const u32 index : {0, 3, 5, 7}) expect_insertion(3, index);
  expect_insertion(4, 9);
}

void expect_selection(unsigned bits, u32 index) {
  const std::size_t size = std::size_t{1} << bits;
  expect_vector(kInsertionFile, fmt::format("select_{}_at_{}", size, index),
                [&](auto& builder, std::span<const Fr> values) {
                  const auto from = alloc_numbers(builder, values.first(size));
                  select(builder, from, alloc_bits(builder, index, bits));
                });
}

TEST(Insertion, SelectEqualsTheVectors) {
  expect_selection(1, 1);
  expect_selection(3, 6);
  expect_selection(7, 77);
}

TEST(Insertion, PutsTheElementAtEveryIndex) {
  test::Random random(5);
  for (unsigned bits = 1; bits <= 4; ++bits)
    for (u32 index = 0; index < u32{1} << bits; ++index) {
      const Fr element = test::random_field<Fr>(random);
      std::vector<Fr> expected = test::random_fields<Fr>((std::size_t{1} << bits) - 1, random);
      const std::vector<Fr> others = expected;
      expected.insert(expected.begin() + index, element);
      WitnessBuilder builder;
      EXPECT_EQ(insert(builder, element, alloc_bits(builder, index, bits), others), expected);
      EXPECT_EQ(select(builder, expected, alloc_bits(builder, index, bits)), element);
    }
}

TEST(Insertion, ValuesSatisfyTheConstraintsAtEveryIndex) {
  test::Random random(6);
  for (unsigned bits = 1; bits <= 4; ++bits)
    for (u32 index = 0; index < u32{1} << bits; ++index) {
      const std::vector<Fr> values = test::random_fields<Fr>(std::size_t{1} << bits, random);
      expect_satisfied([&](auto& builder) {
        const auto numbers = alloc_numbers(builder, values);
        const auto place = alloc_bits(builder, index, bits);
        insert(builder, numbers[0], place, std::span(numbers).subspan(1));
        select(builder, numbers, place);
      });
    }
}

}  // namespace
}  // namespace cuzk::gadgets
