/// Files that appear whole under their name or not at all.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>

#include "base/types.h"

namespace cuzk {

/// Writes the pieces one after another into a file of a name of its own beside `path`, forces it to the disk and renames
/// it, so that two processes that write the same file at once both succeed, and readers see one of the two. Throws
/// Error{resource_exhausted} naming the file and the reason; nothing is left then.
void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const u8>> pieces);

}  // namespace cuzk
