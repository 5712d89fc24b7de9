#include "keys/key_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/hex.h"
#include "hash/blake2b.h"
#include "keys/cold_file.h"

namespace cuzk::keys {
namespace {

namespace fs = std::filesystem;
using groth16::Control;
using testing::AllOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

class TestKey : public groth16::ProvingKey {
 public:
  const groth16::VerifyingKey& verifying_key() const override { return key_; }
  std::size_t memory() const override { return 1000; }

 private:
  groth16::VerifyingKey key_;
};

/// Takes a set time to load; a file with the text "bad" is no key.
class SlowLoader : public groth16::Prover {
 public:
  std::atomic<int> loads = 0;
  std::atomic<groth16::KeyCheck> last_check{};
  std::chrono::milliseconds time = 0ms;

  groth16::Device device() const override { return {"test", ""}; }
  std::size_t key_memory(const fs::path&) const override { return 1000; }
  std::size_t proof_memory(const r1cs::Circuit&) const override { return 0; }
  groth16::Proof prove(const groth16::Statement&, const groth16::Blinding&, const Control&) override { return {}; }

  std::shared_ptr<const groth16::ProvingKey> load_key(const fs::path& params, groth16::KeyCheck check,
                                                      const Control& control) override {
    ++loads;
    last_check = check;
    for (auto waited = 0ms; waited < time; waited += 5ms) {
      std::this_thread::sleep_for(5ms);
      control.check("key");
    }
    std::string text;
    std::ifstream(params) >> text;
    if (text == "bad") throw invalid_input("{}: point 7 of h is not on its curve", params.string());
    return std::make_shared<TestKey>();
  }
};

std::string file_digest_of(const std::string& text) {
  const auto digest = blake2b_512({reinterpret_cast<const u8*>(text.data()), text.size()});
  return to_hex(std::span(digest).first<16>());
}

class KeyStoreTest : public testing::Test {
 protected:
  KeyStoreTest() : directory(fs::path(testing::TempDir()) / ("key_store_" + std::to_string(::getpid()))) {
    fs::create_directories(directory);
    write("good.params", "key");
    write("bad.params", "bad");
  }
  ~KeyStoreTest() override { fs::remove_all(directory); }

  void write(const std::string& file, const std::string& text) { std::ofstream(directory / file) << text; }

  fs::path directory;
  SlowLoader prover;
  KeyStore store{directory,
                 [](std::string_view id) {
                   return KeyFileNames{std::string(id) + ".params", std::string(id) + ".vk"};
                 },
                 prover};
};

TEST_F(KeyStoreTest, LoadsOnceAndSharesTheKey) {
  const auto first = store.load("good");
  const auto second = store.load("good");
  EXPECT_EQ(first.source, KeyStore::Loaded::Source::file);
  EXPECT_EQ(second.source, KeyStore::Loaded::Source::store);
  EXPECT_EQ(first.key, second.key);
  EXPECT_EQ(prover.loads, 1);
}

TEST_F(KeyStoreTest, LoadsOnceForManyThreads) {
  prover.time = 50ms;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_NE(store.load("good").key, nullptr); });
  threads.clear();
  EXPECT_EQ(prover.loads, 1);
}

TEST_F(KeyStoreTest, NamesAMissingFileWhereItLookedAndWhatToDo) {
  try {
    store.load("absent");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::not_found);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("absent.params"), HasSubstr(directory.string()), HasSubstr("cuzk setup absent --out")));
  }
}

TEST_F(KeyStoreTest, SaysHowAMissingKeyOfTheNetworkIsKnown) {
  const auto names = [](std::string_view id) {
    return KeyFileNames{std::string(id) + ".params", std::string(id) + ".vk", "6a388072a518cf46ebd661f5cc46900a"};
  };
  KeyStore network(directory, names, prover);
  try {
    network.load("absent");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("absent.params"), HasSubstr("47373928632 bytes"),
                                    HasSubstr("6a388072a518cf46ebd661f5cc46900a"), HasSubstr("--keys")));
  }
}

TEST_F(KeyStoreTest, KeepsNothingOfACorruptKey) {
  EXPECT_THROW(store.load("bad"), Error);
  EXPECT_TRUE(store.status().empty());
  write("bad.params", "key");  // repaired
  EXPECT_NE(store.load("bad").key, nullptr);
}

// BLAKE2b-512 of "key" and of "bad", the first 16 bytes of each.
const std::string kDigestOfKey = file_digest_of("key"), kDigestOfBad = file_digest_of("bad");

TEST_F(KeyStoreTest, AFileOfAnotherDigestIsReportedAndNeverUsed) {
  write("parameters.json",
        R"({"good.params": {"digest": "00112233445566778899aabbccddeeff"}, "bad.params": {"digest": ")" + kDigestOfKey +
            R"("}})");
  for (const char* id : {"good", "bad"}) {
    try {
      store.load(id);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::invalid_input);
      const bool good = id == std::string("good");
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr(std::string(id) + ".params"), HasSubstr(good ? kDigestOfKey : kDigestOfBad),
                        HasSubstr(good ? "00112233445566778899aabbccddeeff" : kDigestOfKey)));
    }
    EXPECT_TRUE(store.status().empty());
  }
}

TEST_F(KeyStoreTest, AFileOfTheRightDigestIsTaken) {
  write("parameters.json", R"({"good.params": {"digest": ")" + kDigestOfKey + R"("}})");
  EXPECT_NE(store.load("good").key, nullptr);
}

TEST_F(KeyStoreTest, PointsAreCheckedOnceForEachFile) {
  using groth16::KeyCheck;
  write("parameters.json", R"({"good.params": {"digest": ")" + kDigestOfKey + R"("}})");
  const auto check_of_load = [&](KeyCheck check) {
    KeyStore(
        directory,
        [](std::string_view id) {
          return KeyFileNames{std::string(id) + ".params", ""};
        },
        prover, check, DigestMemory(directory / "digests"))
        .load("good");
    return prover.last_check.load();
  };
  EXPECT_EQ(check_of_load(KeyCheck::points), KeyCheck::points);
  EXPECT_EQ(check_of_load(KeyCheck::points), KeyCheck::known);
  EXPECT_EQ(check_of_load(KeyCheck::subgroups), KeyCheck::subgroups) << "what is more than was checked is checked";
  write("new", "key");
  fs::rename(directory / "new", directory / "good.params");
  EXPECT_EQ(check_of_load(KeyCheck::points), KeyCheck::points) << "it is another file, though its bytes are the same";
}

TEST_F(KeyStoreTest, PointsOfAFileOfAnotherDigestAreNotRemembered) {
  write("parameters.json", R"({"good.params": {"digest": "00112233445566778899aabbccddeeff"}})");
  KeyStore remembering(
      directory,
      [](std::string_view id) {
        return KeyFileNames{std::string(id) + ".params", ""};
      },
      prover, groth16::KeyCheck::points, DigestMemory(directory / "digests"));
  EXPECT_THROW(remembering.load("good"), Error);
  write("parameters.json", R"({"good.params": {"digest": ")" + kDigestOfKey + R"("}})");
  remembering.load("good");
  EXPECT_EQ(prover.last_check, groth16::KeyCheck::points);
}

TEST_F(KeyStoreTest, TheNamesMaySayTheDigest) {
  KeyStore named(
      directory,
      [](std::string_view id) {
        return KeyFileNames{std::string(id) + ".params", std::string(id) + ".vk", std::string(32, '0')};
      },
      prover);
  EXPECT_THROW(named.load("good"), Error);
  write("parameters.json", R"({"good.params": {"digest": ")" + kDigestOfKey + R"("}})");
  EXPECT_NE(named.load("good").key, nullptr) << "the list beside the file goes first";
}

TEST_F(KeyStoreTest, TellsThoseWhoWaitWhyLoadingFailed) {
  prover.time = 50ms;
  std::atomic<int> told = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        store.load("bad");
      } catch (const Error& error) {
        if (std::string(error.what()).find("point 7 of h") != std::string::npos) ++told;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(told, 4);
}

TEST_F(KeyStoreTest, CountsReferencesAndEvictsOnlyWithoutThem) {
  auto loaded = store.load("good");
  ASSERT_EQ(store.status().size(), 1u);
  EXPECT_EQ(store.status()[0].references, 1u);
  EXPECT_THROW(store.evict("good"), Error);
  loaded.key.reset();
  EXPECT_EQ(store.status()[0].references, 0u);
  EXPECT_EQ(store.evict("good"), 1000u);
  EXPECT_EQ(store.evict("good"), std::nullopt);
}

TEST_F(KeyStoreTest, TellsInWhichTierAKeyIs) {
  WarmFiles warm(2 << 20);
  KeyStore tiered(
      directory,
      [](std::string_view id) {
        return KeyFileNames{std::string(id) + ".params", ""};
      },
      prover, groth16::KeyCheck::points, {}, &warm);
  test::write_cold(directory / "other.params", 1 << 20);
  const std::vector<std::string> ids{"good", "other", "absent"};
  const auto tier_of = [&](std::size_t i) { return tiered.files(ids).at(i).tier; };
  ASSERT_EQ(tiered.files(ids).size(), 2u) << "one has no file";
  EXPECT_EQ(tiered.files(ids)[1].bytes, 1u << 20);
  EXPECT_NE(tier_of(0), KeyFileStatus::Tier::hot);
  tiered.load("good");
  EXPECT_EQ(tier_of(0), KeyFileStatus::Tier::hot);
  tiered.expect("other");
  tiered.expect("absent");
  warm.wait();
  EXPECT_EQ(tier_of(1), KeyFileStatus::Tier::warm);
  tiered.evict("good");
  EXPECT_EQ(tier_of(0), KeyFileStatus::Tier::warm) << "it was just read";
}

TEST_F(KeyStoreTest, AnotherThreadLoadsWhenTheFirstIsCancelled) {
  prover.time = 200ms;
  std::stop_source stop;
  std::jthread first([&] {
    Control control;
    control.stop = stop.get_token();
    EXPECT_THROW(store.load("good", control), Error);
  });
  while (prover.loads == 0) std::this_thread::sleep_for(1ms);
  std::jthread second([&] { EXPECT_NE(store.load("good").key, nullptr); });
  std::this_thread::sleep_for(20ms);
  stop.request_stop();
  second.join();
  EXPECT_EQ(prover.loads, 2);
}

TEST_F(KeyStoreTest, WaitingForAnotherThreadCanBeCancelled) {
  prover.time = 300ms;
  std::jthread first([&] { EXPECT_NE(store.load("good").key, nullptr); });
  while (prover.loads == 0) std::this_thread::sleep_for(1ms);
  std::stop_source stop;
  std::jthread second([&] {
    Control control;
    control.stop = stop.get_token();
    try {
      store.load("good", control);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::cancelled);
    }
  });
  stop.request_stop();
}

}  // namespace
}  // namespace cuzk::keys
