// .r1cs and .wtns files: what circom made is read, compiled and satisfied; every rule that a file can break is named.
#include "r1cs/circom/r1cs_file.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "circom/sections.h"
#include "groth16/expect_error.h"
#include "r1cs/circom/wtns_file.h"

namespace cuzk::r1cs {
namespace {

using test::expect_error;
using test::Sections;
using test::vector_bytes;
using test::vector_json;

CircomCircuit compile(const std::string& name) { return compile_r1cs(vector_bytes("circom/" + name), name); }
Wires wires_of(const std::string& name) { return read_wires(vector_bytes("circom/" + name), name); }

/// The number of the first constraint that does not hold; as many as there are when all do.
u64 first_unsatisfied(const Circuit& circuit, const Witness& witness) {
  const auto count = static_cast<std::size_t>(circuit.constraints());
  std::vector<Fr> a(count), b(count), c(count);
  circuit.evaluate(witness, a, b, c, ThreadPool::shared());
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] * b[i] != c[i]) return i;
  }
  return count;
}

TEST(R1csFile, IsCompiledWithCircomsNumbers) {
  const auto product = compile("product.r1cs");
  EXPECT_EQ(product.numbers.wires, 23U);
  EXPECT_EQ(product.numbers.outputs, 2U);
  EXPECT_EQ(product.numbers.public_inputs, 2U);
  EXPECT_EQ(product.numbers.private_inputs, 2U);
  EXPECT_EQ(product.numbers.constraints, 20U);
  EXPECT_EQ(product.circuit.inputs(), 5U);
  EXPECT_EQ(product.circuit.aux(), 18U);
  EXPECT_EQ(product.circuit.constraints(), 25U) << "and the appended ones";
  EXPECT_EQ(compile("chain.r1cs").circuit.aux(), 71U);
}

TEST(R1csFile, IsSatisfiedByCircomsWitness) {
  for (const std::string name : {"product", "chain"}) {
    SCOPED_TRACE(name);
    const auto [numbers, circuit] = compile(name + ".r1cs");
    auto wires = wires_of(name + ".wtns");
    ASSERT_EQ(wires.size(), numbers.wires);
    EXPECT_EQ(first_unsatisfied(circuit, witness_of_wires(wires, numbers.publics())), circuit.constraints());
    wires.back() += Fr::one();
    EXPECT_LT(first_unsatisfied(circuit, witness_of_wires(wires, numbers.publics())), circuit.constraints());
  }
}

TEST(R1csFile, OfSeveralBlocksHoldsInEachOfThem) {
  // 3000 constraints w * w = w over wires 1 .. 3000, of which a witness of ones and zeros satisfies all.
  constexpr u32 kCount = 3000;
  Sections file = Sections::of("product.r1cs");
  for (const auto& [offset, value] : {std::pair{36, kCount + 1}, {40, 0U}, {44, 0U}, {48, kCount}, {60, kCount}}) {
    file.put(1, static_cast<std::size_t>(offset), value);
  }
  auto& constraints = file.content[2];
  constraints.clear();
  for (u32 wire = 1; wire <= kCount; ++wire) {
    for (int side = 0; side < 3; ++side) {
      test::append_number(constraints, 1, 4);
      test::append_number(constraints, wire, 4);
      test::append_number(constraints, 1, 8);
      constraints.resize(constraints.size() + 24);
    }
  }
  file.content[3].assign(8 * (kCount + 1), 0);
  const auto [numbers, circuit] = compile_r1cs(file.bytes(), "squares");
  EXPECT_EQ(circuit.templates().size(), 3U);
  std::vector<Fr> wires(kCount + 1, Fr::one());
  for (u32 i = 1; i < 1000; ++i) wires[i] = Fr::zero();
  EXPECT_EQ(first_unsatisfied(circuit, witness_of_wires(wires, 0)), circuit.constraints());
  wires[2500] = Fr::from_u64(2);
  EXPECT_EQ(first_unsatisfied(circuit, witness_of_wires(wires, 0)), 2499U);
}

/// What is said of product.r1cs after a change.
template <class Change>
void expect_refused(const std::string& part, Change change) {
  SCOPED_TRACE(part);
  Sections file = Sections::of("product.r1cs");
  change(file);
  expect_error(Code::invalid_input, part, [&] { compile_r1cs(file.bytes(), "c.r1cs"); });
}

TEST(R1csFile, NamesEveryRuleThatTheContainerBreaks) {
  expect_refused("c.r1cs: begins with 7a6b6579, expected 'r1cs'", [](Sections& file) { file.magic = "zkey"; });
  expect_refused("version 2, expected 1 to 1", [](Sections& file) { file.version = 2; });
  expect_refused("version 0", [](Sections& file) { file.version = 0; });
  expect_refused("section 1 (header) is missing", [](Sections& file) { file.content.erase(1); });
  expect_refused("section 2 (constraints) is missing", [](Sections& file) { file.content.erase(2); });
  expect_refused("section 3 (labels of wires) is missing", [](Sections& file) { file.content.erase(3); });

  const auto whole = Sections::of("product.r1cs").bytes();
  const auto expect_bytes = [](std::vector<u8> bytes, const std::string& part) {
    expect_error(Code::invalid_input, part, [&] { compile_r1cs(bytes, "c.r1cs"); });
  };
  expect_bytes({}, "0 bytes left, expected 4 of a magic word");
  auto bytes = whole;
  bytes.push_back(0);
  expect_bytes(bytes, "c.r1cs: 1 bytes left, expected none");
  bytes = whole;
  bytes.pop_back();
  expect_bytes(bytes, "expected 184 of section 3");
  bytes = whole;
  for (int i = 0; i < 8; ++i) bytes[16 + static_cast<std::size_t>(i)] = 0xff;
  expect_bytes(bytes, "expected 18446744073709551615 of section 1");
  bytes = whole;
  bytes[11] = 0xff;
  expect_bytes(bytes, "4278190083 sections, expected at most 64");
  bytes = whole;
  bytes[12 + 12 + 64] = 1;  // the id of the second section
  expect_bytes(bytes, "section 1 is there twice");
}

TEST(R1csFile, NamesEveryRuleThatTheHeaderBreaks) {
  expect_refused("the prime of 48 bytes, expected 32", [](Sections& file) { file.put(1, 0, 48); });
  expect_refused("expected BLS12-381's", [](Sections& file) { file.put(1, 4, 3); });
  expect_refused("6 wires, expected at least 7", [](Sections& file) { file.put(1, 36, 6); });
  expect_refused("below 2^31", [](Sections& file) { file.put(1, 36, 0x80000000); });
  expect_refused("expected 24 of 8 bytes for the labels of wires", [](Sections& file) { file.put(1, 36, 24); });
  expect_refused("23 wires, expected at least 4294967300", [](Sections& file) { file.put(1, 40, 0xffffffff); });
  expect_refused("expected at least 51539607540 for 4294967295 constraints",
                 [](Sections& file) { file.put(1, 60, 0xffffffff); });
  expect_refused("4 bytes left, expected none", [](Sections& file) { file.content[1].resize(68); });
  expect_refused("expected 4 of the number of constraints", [](Sections& file) { file.content[1].resize(60); });
  expect_refused("4 (custom gates): 2 gates, expected none", [](Sections& file) { file.content[4] = {2, 0, 0, 0}; });
}

TEST(R1csFile, SaysThatAFileIsOfAnotherCurve) {
  expect_refused("BN254's: circom makes files for BLS12-381 with --prime bls12381", [](Sections& file) {
    const auto prime = from_hex("010000f093f5e1439170b97948e833285d588181b64550b829a031e1724e6430");
    std::copy(prime.begin(), prime.end(), file.content[1].begin() + 4);
  });
}

TEST(R1csFile, NamesEveryRuleThatAConstraintBreaks) {
  expect_refused("constraint 0: 4294967295 terms", [](Sections& file) { file.put(2, 0, 0xffffffff); });
  expect_refused("constraint 0: wire 23, expected one below 23", [](Sections& file) { file.put(2, 4, 23); });
  expect_refused("constraint 0: coefficient of wire", [](Sections& file) {
    for (std::size_t i = 0; i < 32; ++i) file.content[2][8 + i] = 0xff;
  });
  expect_refused("bytes left, expected none", [](Sections& file) { file.put(1, 60, 19); });
  expect_refused("constraint 20: the number of terms", [](Sections& file) { file.put(1, 60, 21); });
}

TEST(WtnsFile, HasTheValuesThatCircomComputed) {
  const auto wires = wires_of("product.wtns");
  const auto& said = vector_json("circom/product.public.json");
  for (std::size_t i = 0; i < said.size(); ++i) {
    EXPECT_EQ(wires[1 + i], Fr::from_u64(std::stoull(said[i].get<std::string>())));
  }
}

TEST(WtnsFile, KeepsLongRunsOfBitsAsBits) {
  std::vector<Fr> wires{Fr::one(), Fr::from_u64(7)};
  for (int i = 0; i < 200; ++i) wires.push_back(i % 3 == 0 ? Fr::one() : Fr::zero());
  wires.push_back(Fr::from_u64(9));
  wires.push_back(Fr::one());
  const Witness witness = witness_of_wires(wires, 1);
  EXPECT_EQ(witness.inputs().size(), 2U);
  EXPECT_EQ(witness.segments().size(), 2U);
  ASSERT_EQ(witness.aux_count(), 202U);
  for (u32 i = 0; i < 202; ++i) EXPECT_EQ(witness.aux(i), wires[2 + i]);
}

template <class Change>
void expect_wires_refused(const std::string& part, Change change) {
  SCOPED_TRACE(part);
  Sections file = Sections::of("product.wtns");
  change(file);
  expect_error(Code::invalid_input, part, [&] { read_wires(file.bytes(), "w.wtns"); });
}

TEST(WtnsFile, NamesEveryRuleThatIsBroken) {
  expect_wires_refused("expected 'wtns'", [](Sections& file) { file.magic = "r1cs"; });
  expect_wires_refused("version 3, expected 1 to 2", [](Sections& file) { file.version = 3; });
  expect_wires_refused("section 2 (values) is missing", [](Sections& file) { file.content.erase(2); });
  expect_wires_refused("expected 24 of 32 bytes for the wires", [](Sections& file) { file.put(1, 36, 24); });
  expect_wires_refused("expected 4294967295 of 32 bytes", [](Sections& file) { file.put(1, 36, 0xffffffff); });
  expect_wires_refused("expected 23 of 32 bytes", [](Sections& file) { file.content[2].pop_back(); });
  expect_wires_refused("wire 0 is not 1", [](Sections& file) { file.put(2, 0, 2); });
  expect_wires_refused("wire 3: the value is not below", [](Sections& file) {
    for (std::size_t i = 0; i < 32; ++i) file.content[2][3 * 32 + i] = 0xff;
  });
  expect_error(Code::invalid_input, "2 wires, expected more than 5",
               [] { witness_of_wires(std::vector<Fr>(2, Fr::one()), 5); });
  expect_error(Code::not_found, "/nowhere.wtns", [] { read_wires(std::filesystem::path("/nowhere.wtns")); });
}

}  // namespace
}  // namespace cuzk::r1cs
