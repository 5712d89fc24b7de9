/// What a handle of the C interface stands for: an engine and all that it needs, until it is closed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/task_thread.h"
#include "base/thread_pool.h"
#include "common/lasting_provers.h"
#include "engine/statements/circuit_catalog.h"
#include "engine/statements/kind_decoder.h"
#include "server/engine_host.h"

namespace cuzk::lib {

/// An engine of a configuration, with its threads, circuits and provers. Its parts refer to one another: it stays where it
/// is.
class Works {
 public:
  /// `toml`: as cuzk_engine_create takes it. Throws Error.
  explicit Works(std::string_view toml);
  Works(const Works&) = delete;
  Works& operator=(const Works&) = delete;

  engine::Engine& engine() { return host_.engine(); }
  const keys::KeyStore& keys() const { return host_.keys(); }
  const engine::StatementDecoder& decoder() const { return decoder_; }

 private:
  const server::Config config_;
  ThreadPool pool_;
  engine::CircuitCatalog circuits_;
  const engine::KindDecoder decoder_;
  const apps::LastingProvers provers_;
  const server::Backend backend_;
  server::EngineHost host_;
  TaskThread loader_;  // of the keys of srs.preload; last: it uses the engine
};

/// Threads: any may call any function. Engines and jobs share one: what a job's handle asks after the engine's end is
/// refused, not undefined.
class Core {
 public:
  explicit Core(std::string_view toml) : works_(std::make_unique<Works>(toml)) {}

  /// Runs work(Works&), which may take as long as it likes, and use() again. Throws Error{unavailable} after close().
  template <class Work>
  decltype(auto) use(Work&& work) {
    const User user(*this);
    return work(*works_);
  }

  /// Cancels all jobs, lets what uses the engine come to its end, and frees it. Called once.
  void close();

 private:
  class User {
   public:
    explicit User(Core& core);
    ~User();
    User(const User&) = delete;
    User& operator=(const User&) = delete;

   private:
    Core& core_;
  };

  std::mutex mutex_;  // guards users_ and closed_
  std::condition_variable unused_;
  std::size_t users_ = 0;
  bool closed_ = false;
  std::unique_ptr<Works> works_;  // freed once there are no users
};

}  // namespace cuzk::lib
