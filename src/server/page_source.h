/// Where the page's picture comes from: asks the engine and the machine what there is to see.
#pragma once

#include <string>
#include <vector>

#include "server/engine_host.h"
#include "server/event_stream.h"
#include "server/machine_check.h"
#include "server/page_json.h"

namespace cuzk::server {

/// One thread at a time.
class PageSource {
 public:
  /// The host must outlive it. Without `examine` the doctor says what the engine knows of its devices alone.
  PageSource(EngineHost& host, ExamineMachine examine);

  /// What is there now, and which spans of lanes have ended since the last call. The machine is looked at
  /// once a minute, the files of keys every ten seconds.
  EventStream::Update next();

 private:
  void look_at_machine(engine::Clock::time_point now);
  std::vector<keys::KeyFileStatus> key_files(const engine::EngineSnapshot& snapshot, engine::Clock::time_point now);
  std::vector<MachineCheck> checks_with(const std::vector<engine::DeviceView>& devices) const;

  EngineHost& host_;
  const ExamineMachine examine_;
  const std::string machine_;
  u64 last_span_ = 0;
  std::vector<MachineCheck> checks_;
  std::vector<keys::KeyFileStatus> files_;
  engine::Clock::time_point looked_{}, listed_{};
};

}  // namespace cuzk::server
