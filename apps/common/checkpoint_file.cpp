#include "common/checkpoint_file.h"

#include <simdjson.h>

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"
#include "common/files.h"

namespace cuzk::apps {

namespace {

constexpr std::size_t kLargestCheckpointFile = std::size_t{1} << 30;

u32 count_of(simdjson::dom::element value) {
  const u64 count{value};
  if (count > UINT32_MAX) throw invalid_input("{} variables, expected at most {}", count, UINT32_MAX);
  return static_cast<u32>(count);
}

r1cs::Checkpoint row_of(simdjson::dom::array row) {
  r1cs::Checkpoint result;
  result.constraints = u64{row.at(0)};
  result.inputs = count_of(row.at(1));
  result.aux = count_of(row.at(2));
  const auto digest = from_hex(std::string_view{row.at(3)});
  if (digest.size() != result.digest.size())
    throw invalid_input("a digest of {} bytes, expected {}", digest.size(), result.digest.size());
  std::copy(digest.begin(), digest.end(), result.digest.begin());
  result.path = std::string_view{row.at(4)};
  return result;
}

CheckpointFile parse(const std::string& text) {
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.parse(text);
  CheckpointFile file;
  file.every = u64{document["checkpoint_every"]};
  if (file.every == 0) throw invalid_input("checkpoint_every is 0, expected at least 1");
  for (const auto row : simdjson::dom::array{document["rows"]}) file.rows.push_back(row_of(row));
  return file;
}

}  // namespace

CheckpointFile read_checkpoints(const std::string& path) {
  const std::string text = read_file(path, kLargestCheckpointFile);
  try {
    return parse(text);
  } catch (const simdjson::simdjson_error& error) {
    throw invalid_input("{}: is no file of checkpoints: {}", path, error.what());
  } catch (const Error& error) {
    throw invalid_input("{}: is no file of checkpoints: {}", path, error.what());
  }
}

}  // namespace cuzk::apps
