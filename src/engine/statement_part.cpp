#include "engine/statement_part.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "hash/sha256.h"

namespace cuzk::engine {

namespace {

class StatementPart final : public Statement {
 public:
  StatementPart(std::unique_ptr<Statement> whole, PartitionRange range) : whole_(std::move(whole)), range_(range) {}

  std::string circuit_id() const override { return whole_->circuit_id(); }
  std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token stop) const override {
    return whole_->circuit(std::move(stop));
  }
  std::size_t partitions() const override { return range_.count; }
  std::vector<Fr> public_inputs(std::size_t partition) const override {
    return whole_->public_inputs(range_.first + partition);
  }
  r1cs::Witness witness(std::size_t partition, std::stop_token stop) const override {
    return whole_->witness(range_.first + partition, std::move(stop));
  }

 private:
  const std::unique_ptr<Statement> whole_;
  const PartitionRange range_;
};

}  // namespace

std::unique_ptr<Statement> part_of(std::unique_ptr<Statement> whole, PartitionRange range) {
  const std::size_t partitions = whole->partitions();
  if (partitions != range.of) throw invalid_input("the request has {} partitions, not {}", partitions, range.of);
  if (range.count == 0 || range.count > range.of || range.first > range.of - range.count) {
    throw invalid_input("{} partitions from {} on are asked for, the request has {}", range.count, range.first,
                        partitions);
  }
  return std::make_unique<StatementPart>(std::move(whole), range);
}

InputDigest digest(const ProofInput& input, PartitionRange range) {
  const std::string text = fmt::format(" partitions {}+{}/{}", range.first, range.count, range.of);
  Sha256 hash;
  hash.update(digest(input));
  hash.update({reinterpret_cast<const u8*>(text.data()), text.size()});
  return hash.finish();
}

}  // namespace cuzk::engine
