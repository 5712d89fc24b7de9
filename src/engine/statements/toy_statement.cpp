#include "engine/statements/toy_statement.h"

#include <span>
#include <sstream>

#include "base/error.h"
#include "base/hex.h"
#include "r1cs/toy_circuit.h"

namespace cuzk::engine {

namespace {

constexpr std::size_t kMostPartitions = 1000;

Fr read_x(const std::string& word, std::size_t partition) {
  if (word.size() != 2 * Fr::kBytes) {
    throw invalid_input("toy request: x of partition {} has {} characters, expected {} hexadecimal digits", partition,
                        word.size(), 2 * Fr::kBytes);
  }
  const auto bytes = from_hex(word);
  if (const auto x = Fr::from_bytes(std::span(bytes).first<Fr::kBytes>())) return *x;
  throw invalid_input("toy request: x of partition {} is not below the field's modulus", partition);
}

}  // namespace

ToyStatement::ToyStatement(std::string_view text, CircuitCatalog& circuits) : circuits_(circuits) {
  std::istringstream words{std::string(text.substr(0, kMostPartitions * (2 * Fr::kBytes + 2)))};
  for (std::string word; words >> word;) {
    if (x_.size() == kMostPartitions) throw invalid_input("toy request: more than {} partitions", kMostPartitions);
    x_.push_back(read_x(word, x_.size()));
  }
  if (x_.empty()) throw invalid_input("toy request: there is no x in it");
}

std::vector<Fr> ToyStatement::public_inputs(std::size_t partition) const {
  const Fr& x = x_.at(partition);
  return {x * x * x + x + Fr::from_u64(5)};
}

r1cs::Witness ToyStatement::witness(std::size_t partition, std::stop_token) const {
  return r1cs::toy_witness(x_.at(partition));
}

}  // namespace cuzk::engine
