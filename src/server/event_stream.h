/// What changes, told to all who look: one source, asked once a second as long as anybody looks, whose text all share.
///
/// What is told is one JSON object of named sections, each replaced as a whole when it changes, and a list of items, which
/// only grows (the newest are kept). Who comes gets {"tick":N,"whole":true,"sections":{...},"items":[...]}; after that,
/// with each tick, the sections that changed and the items that are new. Who missed a tick gets the whole again. As
/// server-sent events these are `data` of one line each.
///
/// It may not take processor time from what is shown: nothing is computed when nobody looks, and the source is asked more
/// rarely where one answer costs more than a two-hundredth of the time between two.
///
/// Threads: any may call any function.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/types.h"
#include "server/http_server.h"

namespace cuzk::server {

class EventStream {
 public:
  struct Update {
    std::map<std::string, std::string> sections;  ///< JSON values by name; one that is missing stays as it was
    std::vector<std::string> items;               ///< JSON values that are new since the last update
  };
  using Source = std::function<Update()>;  ///< called by one thread; what it throws is logged, and nothing changes

  struct Limits {
    std::size_t items = 2048;
    std::chrono::milliseconds interval{1000};
  };

  explicit EventStream(Source source, Limits limits);
  explicit EventStream(Source source) : EventStream(std::move(source), Limits()) {}
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// One who looks from now on. It must end before the stream does.
  std::unique_ptr<HttpPieces> open();

  /// The whole, not older than two intervals, as one JSON object; empty after close().
  std::string whole();

  /// Ends what everybody is told.
  void close();

 private:
  class Viewer;
  using Text = std::shared_ptr<const std::string>;

  void run(const std::stop_token& stop);
  void apply(Update update);
  Text whole_event();
  bool is_fresh() const;

  const Source source_;
  const Limits limits_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable_any changed_;
  std::size_t viewers_ = 0;
  u64 tick_ = 0;
  std::chrono::steady_clock::time_point told_{};  // when the tick was
  std::chrono::milliseconds pause_;               // until the next one
  std::map<std::string, std::string> sections_;
  std::deque<std::string> items_;
  Text news_, whole_;  // of the tick; the whole is null until somebody needs it
  bool closed_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace cuzk::server
