#include "keys/key_store.h"

#include <cstdlib>
#include <future>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "filecoin/network_keys.h"

namespace cuzk::keys {

namespace fs = std::filesystem;
using groth16::Control;

namespace {

bool is_cancellation(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    return e.code() == Code::cancelled;
  } catch (...) {
    return false;
  }
}

/// Where a .params file that is missing comes from and how it is known, where it is one of the network's.
std::string origin(const std::string& file, const KeyFileNames& names) {
  const u64 bytes = filecoin::network_params_bytes(names.params_digest);
  if (file != names.params || bytes == 0) return "";
  return fmt::format("fetch the network's, {} bytes with the digest {} (that of parameters.json), ", bytes,
                     names.params_digest);
}

/// Holders beside the store. Exact under the store's mutex when it is 0, for only the store hands out references.
u32 references(const KeyStore::Key& key) { return static_cast<u32>(key.use_count() - 1); }

}  // namespace

KeyStore::KeyStore(fs::path directory, KeyNames names, groth16::Prover& prover, groth16::KeyCheck check,
                   DigestMemory digests, WarmFiles* warm)
    : directory_(std::move(directory)),
      names_(std::move(names)),
      prover_(prover),
      check_(check),
      digests_(std::move(digests)),
      warm_(warm) {}

KeyStore::Loaded KeyStore::load(const std::string& circuit_id, const Control& control) {
  std::unique_lock lock(mutex_);
  for (auto found = slots_.find(circuit_id); found != slots_.end(); found = slots_.find(circuit_id)) {
    const auto slot = found->second;
    if (Key key = wait_for(slot, lock, control)) return {std::move(key), Loaded::Source::store};
    // The thread that loaded it was told to stop; this one was not, so it tries itself.
  }
  const auto slot = slots_[circuit_id] = std::make_shared<Slot>();
  lock.unlock();
  try {
    Key key = read(circuit_id, control);
    if (warm_ != nullptr) warm_->used(params_path(circuit_id));
    settle(circuit_id, *slot, key, nullptr);
    return {std::move(key), Loaded::Source::file};
  } catch (...) {
    settle(circuit_id, *slot, nullptr, std::current_exception());
    throw;
  }
}

/// The slot's key; null when its loading was cancelled by the one who loaded. Any other failure of it is thrown here too.
KeyStore::Key KeyStore::wait_for(const std::shared_ptr<Slot>& slot, std::unique_lock<std::mutex>& lock,
                                 const Control& control) {
  settled_.wait(lock, control.stop, [&] { return slot->key != nullptr || slot->error != nullptr; });
  if (slot->key != nullptr) {
    slot->used = Clock::now();
    return slot->key;
  }
  control.check("loading of a key");
  if (is_cancellation(slot->error)) return nullptr;
  std::rethrow_exception(slot->error);
}

KeyStore::Key KeyStore::read(const std::string& circuit_id, const Control& control) const {
  const KeyFileNames names = names_(circuit_id);
  const fs::path path = existing(circuit_id, names.params, "proving key");
  const auto digest = expected_digest(names);
  return digest ? read_and_compare(path, *digest, control) : prover_.load_key(path, check_, control);
}

/// What the directory's own list says goes first: it is of whoever put the files there.
std::optional<std::string> KeyStore::expected_digest(const KeyFileNames& names) const {
  if (auto listed = listed_digest(directory_ / "parameters.json", names.params)) return listed;
  return names.params_digest.empty() ? std::nullopt : std::optional(names.params_digest);
}

/// The digest of a large file takes a minute: it is computed while the key is read, unless it is remembered.
KeyStore::Key KeyStore::read_and_compare(const fs::path& path, const std::string& digest,
                                         const Control& control) const {
  const std::string stamp = file_stamp(path);
  const bool is_known = check_ == groth16::KeyCheck::points && digests_.knows_points(path, digest);
  std::stop_source over;
  const std::stop_callback cancelled(control.stop, [&] { over.request_stop(); });
  auto found = std::async(std::launch::async, [&] { return digests_.digest(path, {.stop = over.get_token()}); });
  Key key;
  try {
    key = prover_.load_key(path, is_known ? groth16::KeyCheck::known : check_, control);
  } catch (const Error& error) {
    if (error.code() == Code::invalid_input) check_digest(path, found.get(), digest);  // says more of a damaged file
    over.request_stop();
    throw;
  } catch (...) {
    over.request_stop();
    throw;
  }
  check_digest(path, found.get(), digest);
  const bool were_checked = key->checked() == groth16::ProvingKey::Checked::when_loaded;
  if (!is_known && were_checked) digests_.remember_points(path, digest, stamp);
  return key;
}

void KeyStore::settle(const std::string& circuit_id, Slot& slot, Key key, std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    slot.key = std::move(key);
    slot.error = std::move(error);
    slot.used = Clock::now();
    if (slot.error != nullptr) slots_.erase(circuit_id);
  }
  settled_.notify_all();
}

void KeyStore::expect(std::string_view circuit_id) const try {
  if (warm_ != nullptr) warm_->want(params_path(circuit_id));
} catch (const Error&) {
  // An id that does not exist: whoever needs the key is told.
}

std::vector<KeyFileStatus> KeyStore::files(const std::vector<std::string>& circuit_ids) const {
  using Tier = KeyFileStatus::Tier;
  std::vector<KeyFileStatus> result;
  for (const auto& id : circuit_ids) {
    std::error_code missing;
    const fs::path path = params_path(id);
    const u64 bytes = fs::file_size(path, missing);
    if (missing) continue;
    const bool is_warm = warm_ != nullptr && warm_->is_warm(path);
    result.push_back({id, bytes, has(id) ? Tier::hot : is_warm ? Tier::warm : Tier::cold});
  }
  return result;
}

groth16::VerifyingKey KeyStore::verifying_key(std::string_view circuit_id) const {
  return groth16::VerifyingKey::read(existing(circuit_id, names_(circuit_id).vk, "verifying key"));
}

std::optional<u64> KeyStore::evict(const std::string& circuit_id) {
  names_(circuit_id);  // throws for an id that does not exist
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(circuit_id);
  if (found == slots_.end()) return std::nullopt;
  const Key& key = found->second->key;
  if (key == nullptr) throw Error(Code::unavailable, fmt::format("key of {}: it is being loaded", circuit_id));
  if (const u32 holders = references(key); holders != 0) {
    throw Error(Code::unavailable, fmt::format("key of {}: in use by {} jobs, cannot be evicted", circuit_id, holders));
  }
  const u64 bytes = key->memory();
  slots_.erase(found);
  return bytes;
}

std::size_t KeyStore::memory_needed(const std::string& circuit_id) const {
  if (const auto bytes = loaded_bytes(circuit_id)) return *bytes;
  return prover_.key_memory(existing(circuit_id, names_(circuit_id).params, "proving key"));
}

std::optional<u64> KeyStore::loaded_bytes(std::string_view circuit_id) const {
  names_(circuit_id);  // throws for an id that does not exist
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(circuit_id);
  if (found == slots_.end() || found->second->key == nullptr) return std::nullopt;
  return found->second->key->memory();
}

std::vector<KeyStatus> KeyStore::status() const {
  const std::lock_guard lock(mutex_);
  std::vector<KeyStatus> result;
  for (const auto& [circuit_id, slot] : slots_) {
    if (slot->key == nullptr) continue;
    const auto idle = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - slot->used);
    result.push_back({circuit_id, slot->key->memory(), references(slot->key), idle});
  }
  return result;
}

fs::path KeyStore::params_path(std::string_view circuit_id) const { return directory_ / names_(circuit_id).params; }

fs::path KeyStore::existing(std::string_view circuit_id, const std::string& file, std::string_view what) const {
  fs::path path = directory_ / file;
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  throw Error(Code::not_found,
              fmt::format("{} of {}: there is no file {} in {}; {}name the right directory (--keys, srs.param_cache or "
                          "FIL_PROOFS_PARAMETER_CACHE), or make a key for development: cuzk setup {} --out {}",
                          what, circuit_id, file, directory_.string(), origin(file, names_(circuit_id)), circuit_id,
                          directory_.string()));
}

fs::path default_key_directory() {
  const char* named = std::getenv("FIL_PROOFS_PARAMETER_CACHE");
  return named != nullptr && *named != '\0' ? named : "/var/tmp/filecoin-proof-parameters";
}

}  // namespace cuzk::keys
