/// Access to tests/vectors: files by their path below it; names that end in .xz are unpacked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::test {

/// The bytes of a file; throws Error{not_found} naming it.
std::vector<u8> vector_bytes(const std::string& name);

/// The text of a file.
std::string vector_text(const std::string& name);

/// The JSON of a file, read once and kept until the program ends: a loop over a part of it may name it in its head.
const nlohmann::json& vector_json(const std::string& name);

/// The full path of a file, for code that opens it itself.
std::string vector_path(const std::string& name);

}  // namespace cuzk::test
