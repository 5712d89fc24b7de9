#include "farm/input_store.h"

#include <algorithm>

#include "engine/journal/record_codec.h"

namespace cuzk::farm {

namespace {

std::optional<ObjectDirectory> open_objects(const FarmOptions& options) {
  if (options.objects.empty()) return std::nullopt;
  return std::optional<ObjectDirectory>(std::in_place, options.objects);
}

std::string joined(const engine::EncodedInput& encoded) {
  std::string bytes;
  bytes.reserve(encoded.bytes);
  for (const auto& piece : encoded.pieces) bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  return bytes;
}

}  // namespace

InputStore::InputStore(const FarmOptions& options) : options_(options), objects_(open_objects(options)) {}

void InputStore::check_size(const engine::ProofInput& input) const {
  const u64 bytes = input.bytes();
  const bool fits_row = bytes <= options_.inline_input;
  if (bytes <= options_.max_input && (fits_row || objects_)) return;
  throw Error(
      Code::resource_exhausted,
      fmt::format("the farm takes inputs of {} bytes at most ({}), this one has {}",
                  objects_ ? options_.max_input : std::min(options_.inline_input, options_.max_input),
                  objects_ ? "farm.max_input" : "farm.inline_input; farm.objects names no directory for larger ones",
                  bytes));
}

Stored InputStore::submit(FarmQueue& queue, const NewJob& job, const engine::ProofInput& input,
                          std::optional<engine::Clock::time_point> wanted) const {
  const auto encoded = engine::encode_input(input);
  if (input.bytes() <= options_.inline_input) return queue.submit(job, joined(encoded), wanted);
  queue.keep_file(job.digest, wanted);
  objects_->write(job.digest, encoded.pieces);
  return queue.submit(job, std::nullopt, wanted);
}

engine::ProofInput InputStore::read(FarmQueue& queue, const Claimed& claimed) const {
  auto bytes = queue.input(claimed.digest);
  if (!bytes && !objects_)
    throw Error(Code::not_found, "the input is a file, and farm.objects of this daemon names no directory");
  if (!bytes) bytes = objects_->read(claimed.digest);
  const std::string source = "input of job " + claimed.lease.job;
  const std::string& text = *bytes;
  auto input = engine::decode_input(claimed.kind, {reinterpret_cast<const u8*>(text.data()), text.size()}, source);
  if (engine::digest(input) != claimed.digest)
    throw invalid_input("{}: it is not what was accepted: its digest differs", source);
  return input;
}

void InputStore::purge(FarmQueue& queue) const {
  if (!objects_) return queue.purge({});
  queue.purge([this](const InputDigest& digest) { return objects_->remove(digest); });
  objects_->remove_leftovers();
}

}  // namespace cuzk::farm
