#include "engine/journal/input_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/failpoint.h"
#include "base/log.h"
#include "engine/journal/durable_directory.h"

namespace cuzk::engine {
namespace {

/// A file under a name of its own until it is whole.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& path)
      : path_(path),
        temporary_(path.string() + ".partial"),
        descriptor_(open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) throw file_error(path_, "create", errno);
  }
  ~PartialFile() {
    close(descriptor_);
    if (!kept_) unlink(temporary_.c_str());
    if (!kept_ && named_) unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(std::span<const u8> bytes) {
    CUZK_FAILPOINT("journal.input.write");
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw file_error(path_, "write", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void give_name() {
    CUZK_FAILPOINT("journal.input.flush");
    if (fdatasync(descriptor_) != 0) throw file_error(path_, "flush", errno);
    CUZK_FAILPOINT("journal.input.name");
    // Not a renaming: that would replace the file of another job, should two ever have the same id.
    if (link(temporary_.c_str(), path_.c_str()) != 0) throw file_error(path_, "create", errno);
    named_ = true;
    unlink(temporary_.c_str());
    CUZK_FAILPOINT("journal.input.named");
    flush_directory(path_.parent_path());
    kept_ = true;
  }

 private:
  std::filesystem::path path_;
  std::string temporary_;
  int descriptor_;
  bool named_ = false, kept_ = false;
};

}  // namespace

InputFiles::InputFiles(std::filesystem::path folder) : folder_(std::move(folder)) { make_private_directory(folder_); }

void InputFiles::write(const JobId& id, std::span<const std::span<const u8>> pieces) const {
  PartialFile file(folder_ / id);
  for (const auto& piece : pieces) file.write(piece);
  file.give_name();
}

void InputFiles::remove(const JobId& id) const noexcept {
  try {
    CUZK_FAILPOINT("journal.input.remove");
    const auto path = folder_ / id;
    if (unlink(path.c_str()) != 0 && errno != ENOENT) throw file_error(path, "remove", errno);
  } catch (const std::exception& error) {
    logger(LogModule::engine).warn("journal: the input of job {} stays until the next start: {}", id, error.what());
  }
}

std::size_t InputFiles::remove_others(const std::function<bool(const JobId&)>& is_wanted) const {
  std::vector<JobId> others;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (auto name = entry.path().filename().string(); !is_wanted(name)) others.push_back(std::move(name));
  }
  for (const auto& name : others) remove(name);
  return others.size();
}

}  // namespace cuzk::engine
