#include "support/vectors.h"

#include <lzma.h>

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "base/error.h"

namespace cuzk::test {
namespace {

std::vector<u8> unpack_xz(const std::vector<u8>& packed, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, 0) != LZMA_OK) throw internal_error("{}: no xz decoder", name);
  std::vector<u8> plain, block(1 << 20);
  stream.next_in = packed.data();
  stream.avail_in = packed.size();
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK) {
    stream.next_out = block.data();
    stream.avail_out = block.size();
    result = lzma_code(&stream, LZMA_FINISH);
    plain.insert(plain.end(), block.begin(), block.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
  }
  lzma_end(&stream);
  if (result != LZMA_STREAM_END) throw invalid_input("{}: damaged xz data", name);
  return plain;
}

}  // namespace

std::string vector_path(const std::string& name) { return std::string(CUZK_VECTORS) + "/" + name; }

std::vector<u8> vector_bytes(const std::string& name) {
  std::ifstream file(vector_path(name), std::ios::binary);
  if (!file) throw Error(Code::not_found, "no test vector " + vector_path(name));
  std::vector<u8> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return name.ends_with(".xz") ? unpack_xz(bytes, name) : bytes;
}

std::string vector_text(const std::string& name) {
  const auto bytes = vector_bytes(name);
  return std::string(bytes.begin(), bytes.end());
}

const nlohmann::json& vector_json(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, nlohmann::json> files;
  const std::lock_guard lock(mutex);
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  return files.emplace(name, nlohmann::json::parse(vector_text(name))).first->second;
}

}  // namespace cuzk::test
