/// A file mapped for reading: keys and parameters of many gigabytes are read in place, not copied.
#pragma once

#include <filesystem>
#include <span>

#include "base/types.h"

namespace cuzk {

/// Owns the mapping; moves, does not copy. Const members may be called from any thread. The file must not be shortened
/// while it is mapped: the kernel ends a process that touches what is gone.
class MappedFile {
 public:
  enum class Access { normal, sequential, random, will_need };

  /// Throws Error{not_found} for a missing file, Error{invalid_input} for one that cannot be read or is no regular
  /// file; both name the path and the reason.
  explicit MappedFile(std::filesystem::path path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::filesystem::path& path() const { return path_; }
  std::span<const u8> bytes() const { return {data_, size_}; }
  std::size_t size() const { return size_; }

  /// `length` bytes from `offset`; throws Error{invalid_input} naming the file when they reach past its end.
  std::span<const u8> bytes(std::size_t offset, std::size_t length) const;

  /// Tells the kernel how a range will be read. Advice: nothing fails.
  void advise(Access access, std::size_t offset, std::size_t length) const;
  void advise(Access access) const { advise(access, 0, size_); }

  /// Takes the whole pages inside a range out of the process's memory; they are read again when touched.
  void drop(std::size_t offset, std::size_t length) const;

 private:
  std::filesystem::path path_;
  const u8* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cuzk
