// libcuzk as a C++ program has it: handles that go with their scope, many threads, jobs that outlive an engine.
#include <cuzk.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/process.h"
#include "base/hex.h"
#include "support/vectors.h"

namespace {

using cuzk::test::TemporaryFolder;

template <class T, void (*destroy)(T*)>
struct Destroy {
  void operator()(T* object) const { destroy(object); }
};
using Error = std::unique_ptr<cuzk_error, Destroy<cuzk_error, cuzk_error_destroy>>;
using Engine = std::unique_ptr<cuzk_engine, Destroy<cuzk_engine, cuzk_engine_destroy>>;
using Job = std::unique_ptr<cuzk_job, Destroy<cuzk_job, cuzk_job_destroy>>;
using Result = std::unique_ptr<cuzk_result, Destroy<cuzk_result, cuzk_result_destroy>>;
using Text = std::unique_ptr<char, Destroy<char, cuzk_text_destroy>>;

void check(cuzk_error* raw) {
  const Error error(raw);
  if (error != nullptr) throw std::runtime_error(cuzk_error_message(error.get()));
}

/// Calls function(arguments..., &handle) and takes the handle.
template <class Handle, class Function, class... Arguments>
Handle take(Function function, Arguments... arguments) {
  typename Handle::pointer raw = nullptr;
  check(function(arguments..., &raw));
  return Handle(raw);
}

/// A WinningPoSt of the vectors.
class Winning {
 public:
  explicit Winning(const std::string& name) {
    const std::string folder = "post/2KiB/" + name;
    const auto item = cuzk::test::vector_json(folder + "/case.json");
    randomness_ = cuzk::from_hex(item.at("randomness").get<std::string>());
    vanilla_ = cuzk::test::vector_text(folder + "/vanilla-0.bin");
    proofs_ = {reinterpret_cast<const uint8_t*>(vanilla_.data()), vanilla_.size()};
    request_.struct_size = sizeof(request_);
    request_.kind = CUZK_WINNING_POST;
    request_.registered_proof = item.at("registered_proof_id");
    request_.vanilla_proofs = &proofs_;
    request_.vanilla_proof_count = 1;
    request_.randomness = {randomness_.data(), randomness_.size()};
  }
  Winning(const Winning&) = delete;
  Winning& operator=(const Winning&) = delete;

  cuzk_request with_id(const char* id) const {
    auto request = request_;
    request.request_id = id;
    return request;
  }

 private:
  std::vector<cuzk::u8> randomness_;
  std::string vanilla_;
  cuzk_bytes proofs_{};
  cuzk_request request_{};
};

Engine create(const std::string& more = "") {
  const std::string config =
      "[srs]\nparam_cache = \"" CUZK_KEPT_KEYS "\"\n[logging]\nlevel = \"off\"\n[gpus]\ndevices = [\"cpu\"]\n" + more;
  return take<Engine>(cuzk_engine_create, config.data(), config.size());
}

Job submit(const Engine& engine, const cuzk_request& request) { return take<Job>(cuzk_submit, engine.get(), &request); }

Result wait(const Job& job) {
  return take<Result>(cuzk_job_wait, job.get(), CUZK_FOREVER, cuzk_progress_callback{}, static_cast<void*>(nullptr));
}

void expect_valid(const Engine& engine, const cuzk_request& request, const Result& result) {
  ASSERT_EQ(cuzk_result_state(result.get()), CUZK_JOB_COMPLETED) << cuzk_result_message(result.get());
  size_t size = 0;
  const auto* proof = cuzk_result_proof(result.get(), &size);
  EXPECT_EQ(size, 192u);
  int32_t valid = 0;
  check(cuzk_verify(engine.get(), &request, proof, size, &valid));
  EXPECT_EQ(valid, 1);
}

TEST(Embedding, ThreadsShareAnEngine) {
  const Winning one("winning-1"), other("winning-2");
  const auto engine = create();
  std::mutex mutex;
  std::set<std::string> ids;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const auto request = (i % 2 == 0 ? one : other).with_id("the same for all");
      const auto job = submit(engine, request);
      expect_valid(engine, request, wait(job));
      const std::lock_guard lock(mutex);
      ids.insert(cuzk_job_id(job.get()));
    });
  }
  threads.clear();
  EXPECT_EQ(ids.size(), 2u) << "an id with the same input is one job, with another input another one";
}

TEST(Embedding, AJournalGivesTheNextEngineWhatTheFirstLeft) {
  const TemporaryFolder folder;
  const std::string journal = "[jobs]\njournal = \"" + (folder / "journal").string() + "\"\n";
  const Winning winning("winning-1");
  const auto request = winning.with_id("left");
  const std::string id = [&] {
    const auto engine = create(journal);
    const Job job = submit(engine, request);
    return std::string(cuzk_job_id(job.get()));
  }();  // the engine ends at once
  const auto engine = create(journal);
  const auto job = take<Job>(cuzk_job_find, engine.get(), id.c_str());
  expect_valid(engine, request, wait(job));
}

TEST(Embedding, TwoEnginesOfOneProcessDoNotMeet) {
  const Winning winning("winning-1");
  const auto request = winning.with_id("a");
  const auto first = create(), second = create();
  const auto job = submit(first, request);
  cuzk_job* none = nullptr;
  const Error error(cuzk_job_find(second.get(), cuzk_job_id(job.get()), &none));
  EXPECT_EQ(cuzk_error_code(error.get()), CUZK_NOT_FOUND);
  expect_valid(first, request, wait(job));
}

TEST(Embedding, AMissingKeyIsTheJobsFailure) {
  const TemporaryFolder folder;
  const std::string config = "[srs]\nparam_cache = \"" + folder.string() + "\"\n[logging]\nlevel = \"off\"\n";
  const auto engine = take<Engine>(cuzk_engine_create, config.data(), config.size());
  const Winning winning("winning-1");
  const auto result = wait(submit(engine, winning.with_id("a")));
  EXPECT_EQ(cuzk_result_state(result.get()), CUZK_JOB_FAILED);
  EXPECT_EQ(cuzk_result_code(result.get()), CUZK_NOT_FOUND);
  EXPECT_THAT(cuzk_result_message(result.get()), testing::HasSubstr(folder.string()));
}

TEST(Embedding, AnEngineThatIsMadeAndDestroyedManyTimesLeavesNothing) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  create();
  const auto open = descriptors();
  const auto run = threads();
  for (int i = 0; i < 20; ++i) create();
  EXPECT_EQ(descriptors(), open);
  EXPECT_LE(threads(), run);
}

}  // namespace
