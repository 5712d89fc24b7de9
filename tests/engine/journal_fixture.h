/// Jobs, inputs and results made from a number, and a directory for a journal.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include "engine/journal/journal.h"

namespace cuzk::engine {

constexpr std::size_t kLarge = 300'000;  ///< bytes of an input that the journal keeps in a file of its own

inline std::string random_text(std::mt19937_64& random, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; i += 8) {
    const u64 word = random();
    std::memcpy(text.data() + i, &word, std::min<std::size_t>(8, bytes - i));
  }
  return text;
}

inline JobId job_id(u64 number) { return fmt::format("{:032x}", number); }

/// About `bytes` of vanilla proofs; every field differs from its default and from number to number.
inline ProofInput input_of(u64 number, std::size_t bytes = 1000) {
  std::mt19937_64 random(number);
  ProofInput input;
  input.kind = kKinds[number % kKinds.size()];
  input.sector_size = random();
  input.registered_proof = random();
  input.vanilla_proof = random_text(random, bytes / 2);
  input.vanilla_proofs = {random_text(random, bytes / 4), "", random_text(random, bytes / 4)};
  input.sector_number = random();
  input.miner_id = random();
  input.randomness = random_text(random, 32);
  input.partition_index = static_cast<u32>(random());
  input.comm_r_old = random_text(random, 32);
  input.comm_r_new = random_text(random, 32);
  input.comm_d_new = random_text(random, 32);
  return input;
}

inline JobRecord record_of(u64 number, const ProofInput& input) {
  JobRecord record;
  record.id = job_id(number);
  record.request_id = fmt::format("request {}", number);
  record.digest = digest(input);
  record.kind = input.kind;
  record.priority = static_cast<Priority>(number % 4);
  record.accepted = WallTime(std::chrono::microseconds(1'700'000'000'000'000 + number));
  if (number % 2 == 0) record.deadline = record.accepted + std::chrono::seconds(number);
  return record;
}

inline JobResult result_of(u64 number) {
  using std::chrono::milliseconds;
  std::mt19937_64 random(number);
  JobResult result;
  result.state = number % 3 == 0 ? JobState::completed : number % 3 == 1 ? JobState::failed : JobState::cancelled;
  if (result.state == JobState::completed) {
    for (int i = 0; i < 192; ++i) result.proof.push_back(static_cast<u8>(random()));
  } else {
    result.code = result.state == JobState::failed ? Code::device_lost : Code::cancelled;
    result.message = fmt::format("job {} did not get through", number);
  }
  result.timings = {milliseconds(number),     milliseconds(2),
                    milliseconds(3),          milliseconds(4),
                    milliseconds(number + 5), {{"witness", 0.1 + static_cast<double>(number)}, {"msm_h", 1e-300}}};
  return result;
}

inline void accept(Journal& journal, u64 number, std::size_t bytes = 1000) {
  const auto input = input_of(number, bytes);
  journal.accepted(record_of(number, input), input);
}

inline void expect_equal(const ProofInput& found, const ProofInput& expected) {
  EXPECT_EQ(found.kind, expected.kind);
  EXPECT_EQ(found.sector_size, expected.sector_size);
  EXPECT_EQ(found.registered_proof, expected.registered_proof);
  EXPECT_EQ(found.vanilla_proof, expected.vanilla_proof);
  EXPECT_EQ(found.vanilla_proofs, expected.vanilla_proofs);
  EXPECT_EQ(found.sector_number, expected.sector_number);
  EXPECT_EQ(found.miner_id, expected.miner_id);
  EXPECT_EQ(found.randomness, expected.randomness);
  EXPECT_EQ(found.partition_index, expected.partition_index);
  EXPECT_EQ(found.comm_r_old, expected.comm_r_old);
  EXPECT_EQ(found.comm_r_new, expected.comm_r_new);
  EXPECT_EQ(found.comm_d_new, expected.comm_d_new);
}

/// Whatever the journal sets itself is left out.
inline void expect_equal(const JobRecord& found, const JobRecord& expected) {
  EXPECT_EQ(found.id, expected.id);
  EXPECT_EQ(found.request_id, expected.request_id);
  EXPECT_EQ(found.digest, expected.digest);
  EXPECT_EQ(found.kind, expected.kind);
  EXPECT_EQ(found.priority, expected.priority);
  EXPECT_EQ(found.deadline, expected.deadline);
  EXPECT_EQ(found.accepted, expected.accepted);
}

inline void expect_equal(const JobResult& found, const JobResult& expected) {
  EXPECT_EQ(found.state, expected.state);
  EXPECT_EQ(found.proof, expected.proof);
  EXPECT_EQ(found.code, expected.code);
  EXPECT_EQ(found.message, expected.message);
  EXPECT_EQ(found.timings.queued, expected.timings.queued);
  EXPECT_EQ(found.timings.key_load, expected.timings.key_load);
  EXPECT_EQ(found.timings.synthesis, expected.timings.synthesis);
  EXPECT_EQ(found.timings.device, expected.timings.device);
  EXPECT_EQ(found.timings.total, expected.timings.total);
  EXPECT_EQ(found.timings.stages_ms, expected.timings.stages_ms);
}

/// A new directory, in memory where that can be: a disk under load takes 100 ms to force a byte to itself.
inline std::filesystem::path make_home() {
  const bool in_memory = access("/dev/shm", W_OK | X_OK) == 0;
  std::string name = (in_memory ? "/dev/shm" : testing::TempDir()) + std::string("/cuzk_journal_XXXXXX");
  if (mkdtemp(name.data()) == nullptr) throw internal_error("{}: cannot be made", name);
  return name;
}

/// The error that `work` throws; fails the test when there is none.
template <class Work>
std::pair<Code, std::string> error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << "no error";
  return {};
}

class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = make_home();
    directory_ = home_ / "journal";
  }
  void TearDown() override { std::filesystem::remove_all(home_); }

  std::size_t files_of_inputs() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory_ / "inputs")) ++count;
    return count;
  }

  std::filesystem::path home_, directory_;
};

}  // namespace cuzk::engine
