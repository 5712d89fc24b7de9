#include "power_loss/disk_model.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace cuzk::test {
namespace {

using Kind = FileCall::Kind;
constexpr std::size_t kSector = 512;

/// "" for what lies in the directory itself; a directory's name ends in '/'.
std::string directory_of(std::string name) {
  if (name.ends_with('/')) name.pop_back();
  const auto slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

bool toss(std::mt19937_64& random) { return random() % 2 == 0; }

void write_at(std::string& content, std::size_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  content.replace(offset, bytes.size(), bytes);
}

/// Sectors of the disk that the write reaches arrive or do not.
void write_torn(std::string& content, const FileCall& call, std::mt19937_64& random) {
  for (std::size_t done = 0; done < call.bytes.size();) {
    const std::size_t place = call.offset + done;
    const std::size_t length = std::min(kSector - place % kSector, call.bytes.size() - done);
    if (toss(random)) write_at(content, place, std::string_view(call.bytes).substr(done, length));
    done += length;
  }
}

void change(std::string& content, const FileCall& call) {
  if (call.kind == Kind::resize) {
    content.resize(call.offset);
  } else {
    write_at(content, call.offset, call.bytes);
  }
}

}  // namespace

void DiskModel::apply(const FileCall& call) {
  switch (call.kind) {
    case Kind::write:
    case Kind::resize: files_[call.file].since.push_back(call); return;
    case Kind::flush: {
      File& file = files_[call.file];
      for (const auto& each : file.since) change(file.flushed, each);
      file.since.clear();
      return;
    }
    case Kind::flush_names: {
      for (const auto& each : names_since_[call.name]) apply_to_names(each, flushed_names_);
      names_since_[call.name].clear();
      return;
    }
    default: names_since_[directory_of(call.name)].push_back(call);
  }
}

void DiskModel::apply_to_names(const FileCall& call, Names& names) {
  if (call.kind == Kind::create) names[call.name] = call.name.ends_with('/') ? 0 : call.file;
  if (call.kind == Kind::link || call.kind == Kind::rename) names[call.other_name] = call.file;
  if (call.kind == Kind::rename || call.kind == Kind::remove) names.erase(call.name);
}

std::string DiskModel::remains_of(const File& file, Loss loss, std::mt19937_64& random) const {
  std::string content = file.flushed;
  if (loss == Loss::all) return content;
  for (const auto& call : file.since) {
    if (loss == Loss::nothing || (loss == Loss::some && toss(random))) change(content, call);
    if (loss != Loss::torn) continue;
    if (call.kind == Kind::write) write_torn(content, call, random);
    if (call.kind == Kind::resize && toss(random)) change(content, call);
  }
  return content;
}

DiskModel::Names DiskModel::remains_of_names(Loss loss, std::mt19937_64& random) const {
  Names names = flushed_names_;
  for (const auto& [directory, calls] : names_since_) {
    std::size_t kept = loss == Loss::all ? 0 : loss == Loss::nothing ? calls.size() : random() % (calls.size() + 1);
    for (const auto& call : calls) {
      if (kept-- == 0) break;
      apply_to_names(call, names);
    }
  }
  return names;
}

void DiskModel::write_remains(const std::filesystem::path& directory, Loss loss, std::mt19937_64& random) const {
  std::filesystem::create_directories(directory);
  const Names names = remains_of_names(loss, random);
  for (const auto& [name, number] : names)
    if (number == 0 && exists((directory / directory_of(name))))
      create_directory(directory / name.substr(0, name.size() - 1));
  std::map<u64, std::string> contents;  // a file with two names has one content
  for (const auto& [name, number] : names) {
    if (number == 0 || !std::filesystem::exists((directory / name).parent_path())) continue;
    const auto file = files_.find(number);
    const auto [content, is_new] = contents.try_emplace(number);
    if (is_new && file != files_.end()) content->second = remains_of(file->second, loss, random);
    std::ofstream(directory / name, std::ios::binary) << content->second;
  }
}

std::size_t DiskModel::unflushed() const {
  std::size_t count = 0;
  for (const auto& [number, file] : files_) count += file.since.size();
  for (const auto& [directory, calls] : names_since_) count += calls.size();
  return count;
}

}  // namespace cuzk::test
