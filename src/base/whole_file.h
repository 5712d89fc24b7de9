/// Files that appear whole under their name or not at all, and files that are read whole.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>

#include "base/buffer.h"
#include "base/types.h"

namespace cuzk {

/// Writes the pieces one after another into a file of a name of its own beside `path`, forces it to the disk and renames
/// it, so that two processes that write the same file at once both succeed, and readers see one of the two. Throws
/// Error{resource_exhausted} naming the file and the reason; nothing is left then.
void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const u8>> pieces);

/// The content, copied: unlike a mapping it stays what it was when somebody shortens the file or its disk fails. Throws
/// Error: not_found; invalid_input for what is no regular file, cannot be read or ends before its size; resource_exhausted.
Buffer<u8> read_whole_file(const std::filesystem::path& path);

}  // namespace cuzk
