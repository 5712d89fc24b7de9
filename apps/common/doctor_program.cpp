#include <fmt/format.h>
#include <openssl/crypto.h>
#include <spdlog/version.h>
#include <tbb/version.h>
#include <unistd.h>
#ifdef CUZK_SERVER
#include <grpc/grpc.h>
#endif

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "common/doctor.h"
#include "engine/statements/circuit_catalog.h"
#include "groth16/cpu_prover.h"
#include "groth16/known_statement.h"
#include "groth16/setup.h"
#include "keys/file_digest.h"
#include "keys/key_store.h"
#ifdef CUZK_CUDA
#include "common/gpu_provers.h"
#include "cuda/device.h"
#endif

namespace cuzk::apps {
namespace {

namespace fs = std::filesystem;

std::string libraries() {
  std::string text = fmt::format("TBB {}, {}, fmt {}.{}.{}, spdlog {}.{}.{}", TBB_runtime_version(),
                                 OpenSSL_version(OPENSSL_VERSION), FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                 FMT_VERSION % 100, SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH);
#ifdef CUZK_SERVER
  text += fmt::format(", gRPC {}", grpc_version_string());
#endif
  return text;
}

std::string parts() {
  std::string text = "prover";
#ifdef CUZK_SERVER
  text += ", server";
#endif
#ifdef CUZK_CUDA
  text += ", CUDA";
#endif
#ifdef CUZK_INSECURE
  text += ", insecure switches for tests";
#endif
  return text;
}

/// Circuits whose key is in a directory.
std::vector<std::string> circuits_with_keys(const fs::path& directory) {
  std::vector<std::string> ids;
  for (const auto& id : engine::circuit_ids()) {
    if (fs::exists(directory / engine::key_file_names(id).params)) ids.push_back(id);
  }
  return ids;
}

Finding key_directory(const fs::path& directory) {
  std::error_code missing;
  if (!fs::is_directory(directory, missing)) {
    return {"keys", Health::warn, fmt::format("{}: no such directory", directory.string()),
            "--keys DIR, or put the network's .params and .vk files there; cuzk setup makes keys for development"};
  }
  const auto ids = circuits_with_keys(directory);
  if (ids.empty()) {
    return {"keys", Health::warn, fmt::format("{}: no key of a circuit that this program has", directory.string()),
            "put the network's .params and .vk files there; cuzk setup makes keys for development"};
  }
  return {"keys", Health::ok, fmt::format("{}: {}", directory.string(), fmt::join(ids, ", "))};
}

/// Whether files can be made in a directory or, where it is not there yet, the directory itself.
bool can_write(fs::path directory) {
  std::error_code error;
  while (!directory.empty() && !fs::exists(directory, error)) directory = directory.parent_path();
  return ::access(directory.c_str(), W_OK) == 0;
}

Finding writable(std::string name, const std::string& place, std::string loss) {
  if (place == "off") return {std::move(name), Health::warn, place, std::move(loss)};
  if (can_write(place)) return {std::move(name), Health::ok, place};
  return {std::move(name), Health::warn, fmt::format("{}: cannot be written", place), std::move(loss)};
}

/// A folder that goes with all its files.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / fmt::format("cuzk-doctor-{:016x}", random_name())) {
    fs::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  static u64 random_name() {
    u64 name = 0;
    for (const u8 byte : random_bytes<8>()) name = name << 8 | byte;
    return name;
  }

  fs::path path_;
};

/// A key and a proof of the known statement, through a file as in earnest.
void prove_known(groth16::Prover& prover) {
  const TemporaryFolder folder;
  const auto known = groth16::known_statement();
  const groth16::KeyFiles files{folder.path() / "known.params", folder.path() / "known.vk"};
  ThreadPool& pool = ThreadPool::shared();
  groth16::setup(known.circuit, known.waste, files, pool, {});
  const auto key = prover.load_key(files.params, groth16::KeyCheck::subgroups, {});
  groth16::prove_verified(prover, {*key, known.circuit, known.witness}, {});
}

Finding processor() {
  try {
    groth16::CpuProver prover(ThreadPool::shared());
    prove_known(prover);
    return {"device.cpu", Health::ok, "made a known proof, which verifies"};
  } catch (const std::exception& error) {
    return {"device.cpu", Health::fail, error.what(),
            "try CUZK_CPU=portable: if that passes, the processor is at fault"};
  }
}

#ifdef CUZK_CUDA
Finding gpu(int ordinal, const std::string& description) {
  const std::string name = fmt::format("device.cuda:{}", ordinal);
  try {
    make_gpu_prover(ordinal, ThreadPool::shared(), 0);
    return {name, Health::ok, fmt::format("{}: made a known proof, which verifies", description)};
  } catch (const std::exception& error) {
    return {name, Health::fail, fmt::format("{}: {}", description, error.what()),
            "leave it out with gpus.devices, or --device cpu; look at nvidia-smi"};
  }
}
#endif

}  // namespace

Findings examine_program() {
  return {{"program", Health::ok, fmt::format("cuzk {} ({})", CUZK_VERSION, parts())},
          {"program.libraries", Health::ok, libraries()}};
}

Findings examine_files(const fs::path& keys) {
  return {key_directory(keys),
          writable("circuits", engine::default_circuit_cache().text(),
                   "circuits are compiled in every process: CUZK_CIRCUITS=DIR names a directory for them"),
          writable("digests", keys::default_digest_memory().text(),
                   "digests of keys are computed in every process: a home directory that can be written keeps them")};
}

Findings examine_devices() {
  Findings findings{processor()};
#ifdef CUZK_CUDA
  for (const auto& device : cuda::devices()) {
    findings.push_back(gpu(device.ordinal, fmt::format("{}, {:.0f} GiB", device.name,
                                                       static_cast<double>(device.memory) / (u64{1} << 30))));
  }
  if (findings.size() == 1) findings.push_back({"device.cuda", Health::ok, "no GPU: proofs are made on the processor"});
#else
  if (fs::exists("/dev/nvidia0")) {
    findings.push_back({"device.cuda", Health::warn, "there is a GPU, but this build has no CUDA",
                        "build with -DCUZK_CUDA=ON, or install the package with it"});
  }
#endif
  return findings;
}

}  // namespace cuzk::apps
