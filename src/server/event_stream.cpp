#include "server/event_stream.h"

#include <ctime>
#include <utility>

#include "base/json_text.h"
#include "base/log.h"

namespace cuzk::server {

namespace {

using Clock = std::chrono::steady_clock;

/// The part of one processor that the source may take: one in so many.
constexpr int kShare = 200;

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

template <class Items>
std::string joined(const Items& items) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ',';
    text += item;
  }
  return text;
}

std::string members_of(const std::map<std::string, std::string>& sections) {
  std::vector<std::string> members;
  members.reserve(sections.size());
  for (const auto& [name, text] : sections) members.push_back(json_quoted(name) + ":" + text);
  return joined(members);
}

constexpr std::string_view kBefore = "data: ", kAfter = "\n\n";

template <class Items>
std::string event_of(u64 tick, std::string_view whole, const std::map<std::string, std::string>& sections,
                     const Items& items) {
  return fmt::format("{}{{\"tick\":{},\"whole\":{},\"sections\":{{{}}},\"items\":[{}]}}{}", kBefore, tick, whole,
                     members_of(sections), joined(items), kAfter);
}

}  // namespace

/// Counted as long as it lives.
class EventStream::Viewer final : public HttpPieces {
 public:
  explicit Viewer(EventStream& stream) : stream_(stream) {
    const std::lock_guard lock(stream_.mutex_);
    ++stream_.viewers_;
    stream_.changed_.notify_all();
  }
  ~Viewer() override {
    const std::lock_guard lock(stream_.mutex_);
    --stream_.viewers_;
  }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  Text next() override {
    std::unique_lock lock(stream_.mutex_);
    stream_.changed_.wait(lock,
                          [&] { return stream_.closed_ || (seen_ == 0 ? stream_.is_fresh() : stream_.tick_ > seen_); });
    if (stream_.closed_) return nullptr;
    const bool follows = seen_ != 0 && stream_.tick_ == seen_ + 1;
    seen_ = stream_.tick_;
    return follows ? stream_.news_ : stream_.whole_event();
  }

 private:
  EventStream& stream_;
  u64 seen_ = 0;  // the last tick that it was told of; 0: none
};

EventStream::EventStream(Source source, Limits limits)
    : source_(std::move(source)),
      limits_(limits),
      pause_(limits.interval),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

std::unique_ptr<HttpPieces> EventStream::open() { return std::make_unique<Viewer>(*this); }

std::string EventStream::whole() {
  const auto event = Viewer(*this).next();
  if (event == nullptr) return "";
  return event->substr(kBefore.size(), event->size() - kBefore.size() - kAfter.size());
}

void EventStream::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

/// Whether who comes now can be told the last tick.
bool EventStream::is_fresh() const { return tick_ != 0 && Clock::now() - told_ < 2 * pause_; }

void EventStream::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return viewers_ > 0 && !closed_; })) {
    lock.unlock();
    const auto before = processor_time();
    Update update;
    try {
      update = source_();
    } catch (const std::exception& error) {
      logger(LogModule::http).error("what the page shows cannot be told: {}", error.what());
    }
    lock.lock();
    apply(std::move(update));
    changed_.notify_all();
    const auto spent = std::chrono::ceil<std::chrono::milliseconds>((processor_time() - before) * kShare);
    pause_ = std::max(limits_.interval, spent);
    changed_.wait_for(lock, stop, pause_, [&] { return closed_; });
  }
}

/// Under the mutex.
void EventStream::apply(Update update) {
  std::erase_if(update.sections, [&](const auto& section) {
    const auto known = sections_.find(section.first);
    return known != sections_.end() && known->second == section.second;
  });
  news_ = std::make_shared<const std::string>(event_of(++tick_, "false", update.sections, update.items));
  whole_.reset();
  told_ = Clock::now();
  for (auto& [name, text] : update.sections) sections_[name] = std::move(text);
  for (auto& item : update.items) items_.push_back(std::move(item));
  while (items_.size() > limits_.items) items_.pop_front();
}

/// Under the mutex.
EventStream::Text EventStream::whole_event() {
  if (whole_ == nullptr) whole_ = std::make_shared<const std::string>(event_of(tick_, "true", sections_, items_));
  return whole_;
}

}  // namespace cuzk::server
