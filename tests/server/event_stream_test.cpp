#include "server/event_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <future>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

class EventStreamTest : public testing::Test {
 protected:
  EventStream& start(EventStream::Limits limits = {3, 10ms}) {
    configure_log(spdlog::level::off, LogFormat::text);
    stream = std::make_unique<EventStream>([this] { return source(); }, limits);
    return *stream;
  }

  /// The JSON of one event.
  static json data(const std::shared_ptr<const std::string>& event) {
    EXPECT_TRUE(event->starts_with("data: ") && event->ends_with("\n\n")) << *event;
    EXPECT_EQ(event->find('\n'), event->size() - 2) << "one line";
    return json::parse(event->substr(6));
  }

  static std::chrono::nanoseconds processor_time() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  std::atomic<int> asked = 0;
  EventStream::Source source = [this] {
    const int n = ++asked;
    return EventStream::Update{{{"constant", "7"}, {"count", std::to_string(n)}}, {std::to_string(10 * n)}};
  };
  std::unique_ptr<EventStream> stream;
};

TEST_F(EventStreamTest, TellsTheWholeOnceAndThenWhatIsNew) {
  const auto viewer = start({3, 300ms}).open();
  const auto whole = data(viewer->next());
  EXPECT_EQ(whole["whole"], true);
  EXPECT_EQ(whole["sections"]["constant"], 7);
  const int first = whole["sections"]["count"];
  const auto news = data(viewer->next());
  EXPECT_EQ(news["whole"], false);
  EXPECT_EQ(news["tick"], whole["tick"].get<int>() + 1);
  EXPECT_EQ(news["sections"], json({{"count", first + 1}})) << "what did not change is not told again";
  EXPECT_EQ(news["items"], json({10 * (first + 1)}));
}

TEST_F(EventStreamTest, WhoMissedATickGetsTheWholeAgain) {
  const auto viewer = start().open();
  const int tick = data(viewer->next())["tick"];
  while (asked < tick + 6) std::this_thread::sleep_for(1ms);
  const auto late = data(viewer->next());
  EXPECT_EQ(late["whole"], true);
  EXPECT_EQ(late["items"].size(), 3u) << "the newest alone are kept";
}

TEST_F(EventStreamTest, NothingIsAskedWhenNobodyLooks) {
  start();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(asked, 0);
  {
    const auto viewer = stream->open();
    viewer->next();
    viewer->next();
  }
  std::this_thread::sleep_for(30ms);  // what was under way
  const int after = asked;
  std::this_thread::sleep_for(80ms);
  EXPECT_EQ(asked, after);
}

TEST_F(EventStreamTest, AllWhoLookShareOneAnswer) {
  start({3, 500ms});
  std::vector<std::unique_ptr<HttpPieces>> viewers;
  for (int i = 0; i < 10; ++i) viewers.push_back(stream->open());
  for (int round = 0; round < 3; ++round) {
    std::vector<std::future<std::shared_ptr<const std::string>>> told;
    for (const auto& viewer : viewers)
      told.push_back(std::async(std::launch::async, [&viewer] { return viewer->next(); }));
    const auto text = told[0].get();
    for (std::size_t i = 1; i < told.size(); ++i) EXPECT_EQ(told[i].get(), text) << "the very same text";
  }
  EXPECT_LE(asked, 4);
}

TEST_F(EventStreamTest, AnAnswerThatCostsMuchIsAskedForMoreRarely) {
  source = [this] {
    ++asked;
    for (const auto begin = processor_time(); processor_time() - begin < 5ms;) {
    }
    return EventStream::Update();
  };
  const auto viewer = start().open();
  viewer->next();
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(asked, 1) << "5 ms may be spent in a second";
}

TEST_F(EventStreamTest, TheWholeIsThereWithoutAViewer) {
  start();
  const auto whole = json::parse(stream->whole());
  EXPECT_EQ(whole["sections"]["constant"], 7);
  EXPECT_EQ(whole["whole"], true);
}

TEST_F(EventStreamTest, ASourceThatThrowsChangesNothing) {
  source = [this]() -> EventStream::Update {
    if (++asked > 1) throw Error(Code::internal, "no");
    return {{{"a", "1"}}, {}};
  };
  const auto viewer = start().open();
  viewer->next();
  EXPECT_EQ(data(viewer->next())["sections"], json::object());
  EXPECT_EQ(json::parse(stream->whole())["sections"]["a"], 1);
}

TEST_F(EventStreamTest, ItsEndIsToldToAll) {
  start({3, 1h});
  const auto viewer = stream->open();
  viewer->next();
  auto last = std::async(std::launch::async, [&] { return viewer->next(); });
  stream->close();
  EXPECT_EQ(last.get(), nullptr);
  EXPECT_EQ(stream->whole(), "");
}

}  // namespace
}  // namespace cuzk::server
