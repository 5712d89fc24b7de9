#include "server/page_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "server/key_tiers.h"

namespace cuzk::server {

namespace {

using engine::Clock;

/// Reads files of the system, and the directory of keys.
constexpr auto kLookAgain = std::chrono::seconds(60);

/// Asks the kernel page by page which part of a file is in memory.
constexpr auto kFilesAgain = std::chrono::seconds(10);

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

MachineCheck check_of(const engine::DeviceView& view) {
  const std::string name = fmt::format("device.{}", view.device.name);
  switch (view.state) {
    case engine::DeviceLanes::State::active:
      return {name, MachineCheck::State::ok, view.device.description + ": proves", ""};
    case engine::DeviceLanes::State::spare:
      return {name, MachineCheck::State::ok, view.device.description + ": proves once no other device is left", ""};
    default:
      return {name, MachineCheck::State::fail, view.device.description + ": lost",
              "see to the card, then restart the daemon"};
  }
}

}  // namespace

PageSource::PageSource(EngineHost& host, ExamineMachine examine)
    : host_(host), examine_(std::move(examine)), machine_(machine_name()) {}

void PageSource::look_at_machine(Clock::time_point now) {
  if (looked_ != Clock::time_point{} && now < looked_ + kLookAgain) return;
  looked_ = now;
  if (examine_) checks_ = examine_();
}

std::vector<MachineCheck> PageSource::checks_with(const std::vector<engine::DeviceView>& devices) const {
  auto checks = checks_;
  for (const auto& device : devices) checks.push_back(check_of(device));
  return checks;
}

std::vector<keys::KeyFileStatus> PageSource::key_files(const engine::EngineSnapshot& snapshot, Clock::time_point now) {
  if (listed_ == Clock::time_point{} || now >= listed_ + kFilesAgain) {
    listed_ = now;
    files_ = key_tiers(snapshot, host_.keys());
  }
  return files_;
}

EventStream::Update PageSource::next() {
  const auto now = Clock::now();
  look_at_machine(now);
  engine::Engine& engine = host_.engine();
  PageView view{engine.snapshot(), engine.overview(),  {}, machine_memory(),
                host_.plan(),      host_.kept_pages(), {}, machine_};
  view.keys = key_files(view.engine, now);
  view.checks = checks_with(view.engine.devices);
  EventStream::Update update{page_sections(view), {}};
  std::string& running = update.sections["spans"];
  for (const auto& span : engine.lane_spans(last_span_)) {
    if (span.how == engine::LaneSpan::End::running) {
      running.append(running.empty() ? "" : ",").append(span_json(span, engine));
    } else {
      update.items.push_back(span_json(span, engine));
      last_span_ = span.number;
    }
  }
  running = fmt::format("[{}]", running);
  return update;
}

}  // namespace cuzk::server
