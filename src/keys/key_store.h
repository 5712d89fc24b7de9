/// The proving keys of one prover: a directory of .params files, and those of them that are loaded.
///
/// A key is loaded at its first use and stays until it is evicted; all jobs share it. Every point is checked as it is
/// read, unless it is remembered that those of a file with the digest that it must have were. Where it is known which digest a file must have, from a parameters.json in the directory or from the names, the
/// file's is compared, beside the reading. A file that fails is reported, and nothing of it is kept.
///
/// Tiers: a key is hot where its prover holds it, warm where its file lies in the host's page cache (warm_files.h, which
/// the stores of several provers share), cold else.
///
/// Threads: any may call any function. A key is loaded by one thread; the others that ask for it wait for that thread,
/// while keys that are loaded stay usable.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "groth16/control.h"
#include "groth16/prover.h"
#include "groth16/verifying_key.h"
#include "keys/file_digest.h"
#include "keys/warm_files.h"

namespace cuzk::keys {

/// The names of a circuit's two files in the directory.
struct KeyFileNames {
  std::string params, vk;
  std::string params_digest = {};  ///< as file_digest gives it, where it is known; empty: any will do
};

/// From a circuit id ("porep-2k") to its files; throws Error{invalid_input} naming an id that does not exist.
using KeyNames = std::function<KeyFileNames(std::string_view circuit_id)>;

/// A key that is loaded, as status answers show it.
struct KeyStatus {
  std::string circuit_id;
  u64 bytes = 0;                ///< on the prover's device
  u32 references = 0;           ///< holders beside the store
  std::chrono::seconds idle{};  ///< since somebody asked for it
};

/// The .params file of a circuit, as status answers show it.
struct KeyFileStatus {
  std::string circuit_id;
  u64 bytes = 0;
  enum class Tier : u8 { hot, warm, cold } tier = Tier::cold;
};

class KeyStore {
 public:
  using Key = std::shared_ptr<const groth16::ProvingKey>;

  /// What load() gives: the key, and whether it was there already.
  struct Loaded {
    Key key;
    enum class Source { store, file } source;
  };

  /// Prover and `warm` must outlive the store; without `warm` no file is read ahead. The directory need not exist yet.
  KeyStore(std::filesystem::path directory, KeyNames names, groth16::Prover& prover,
           groth16::KeyCheck check = groth16::KeyCheck::points, DigestMemory digests = {}, WarmFiles* warm = nullptr);

  /// The key of a circuit, loaded when it is not. The caller's reference keeps it from being evicted.
  /// Throws Error: not_found naming the file, where it was looked for and what to do; invalid_input for a file that is
  /// no key (file, vector and index named) or not the one that it should be (both digests named); resource_exhausted; cancelled when control.stop says so, also while another
  /// thread loads.
  Loaded load(const std::string& circuit_id, const groth16::Control& control = {});

  /// The key will be loaded soon: its file is read ahead if there is one. Returns at once; no error.
  void expect(std::string_view circuit_id) const;

  /// The verifying key alone, from its .vk file; nothing is kept. Throws as load.
  groth16::VerifyingKey verifying_key(std::string_view circuit_id) const;

  /// Frees a key and returns its bytes; nothing when it is not loaded. Throws Error: invalid_input for an id that does
  /// not exist, unavailable when somebody holds the key or it is being loaded.
  std::optional<u64> evict(const std::string& circuit_id);

  /// Bytes that a key takes on the device, loaded or not. Throws as load.
  std::size_t memory_needed(const std::string& circuit_id) const;

  bool has(const std::string& circuit_id) const { return loaded_bytes(circuit_id).has_value(); }

  /// Bytes of a key that is loaded. Throws Error{invalid_input} for an id that does not exist.
  std::optional<u64> loaded_bytes(std::string_view circuit_id) const;

  /// The loaded keys by circuit id.
  std::vector<KeyStatus> status() const;

  /// Those of these circuits whose files are there. Hot: this store's prover holds the key.
  std::vector<KeyFileStatus> files(const std::vector<std::string>& circuit_ids) const;

  /// The .params file of a circuit, whether it exists or not.
  std::filesystem::path params_path(std::string_view circuit_id) const;

 private:
  using Clock = std::chrono::steady_clock;

  /// A key that is loaded or being loaded. The mutex guards all of it.
  struct Slot {
    Key key;                   ///< null while it is being loaded
    std::exception_ptr error;  ///< why loading failed, for those who waited
    Clock::time_point used;    ///< when somebody asked for it last
  };

  Key wait_for(const std::shared_ptr<Slot>& slot, std::unique_lock<std::mutex>& lock, const groth16::Control& control);
  Key read(const std::string& circuit_id, const groth16::Control& control) const;
  Key read_and_compare(const std::filesystem::path& path, const std::string& digest,
                       const groth16::Control& control) const;
  std::optional<std::string> expected_digest(const KeyFileNames& names) const;
  void settle(const std::string& circuit_id, Slot& slot, Key key, std::exception_ptr error);
  std::filesystem::path existing(std::string_view circuit_id, const std::string& file, std::string_view what) const;

  const std::filesystem::path directory_;
  const KeyNames names_;
  groth16::Prover& prover_;
  const groth16::KeyCheck check_;
  const DigestMemory digests_;
  WarmFiles* const warm_;

  mutable std::mutex mutex_;
  std::condition_variable_any settled_;
  std::map<std::string, std::shared_ptr<Slot>, std::less<>> slots_;
};

/// Where Filecoin's programs look for keys: $FIL_PROOFS_PARAMETER_CACHE, else /var/tmp/filecoin-proof-parameters.
std::filesystem::path default_key_directory();

}  // namespace cuzk::keys
