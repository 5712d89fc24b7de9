#include "common/fresh_key.h"

#include <stdlib.h>  // mkdtemp, of POSIX

#include <filesystem>

#include "base/error.h"
#include "groth16/setup.h"
#ifdef CUZK_CUDA
#include "cuda/prover.h"
#endif

namespace cuzk::apps {
namespace {

/// A directory that goes with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "cuzk-key-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(Code::internal, fmt::format("{}: no temporary directory can be made", path_));
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path operator/(const char* name) const { return std::filesystem::path(path_) / name; }

 private:
  std::string path_;
};

}  // namespace

std::shared_ptr<const groth16::ProvingKey> make_fresh_key(groth16::Prover& prover, const r1cs::Circuit& circuit,
                                                          ThreadPool& pool, const groth16::Control& control) {
  const auto waste = groth16::ToxicWaste::fresh();
#ifdef CUZK_CUDA
  if (auto* const device = dynamic_cast<cuda::CudaProver*>(&prover)) return device->make_key(circuit, waste, control);
#endif
  const TemporaryDirectory directory;
  const groth16::KeyFiles files{directory / "fresh.params", directory / "fresh.vk"};
  groth16::setup(circuit, waste, files, pool, control);
  return prover.load_key(files.params, groth16::KeyCheck::points, control);
}

}  // namespace cuzk::apps
