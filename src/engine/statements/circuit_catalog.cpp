#include "engine/statements/circuit_catalog.h"

#include <algorithm>

#include "base/error.h"
#include "filecoin/circuit_name.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "filecoin/network_keys.h"
#include "r1cs/toy_circuit.h"

namespace cuzk::engine {

namespace {

using Pointer = std::shared_ptr<const r1cs::Circuit>;

constexpr const char* kToy = "toy";

r1cs::Circuit compile(const filecoin::CircuitName& name) {
  const filecoin::SectorShape& shape = *name.shape;
  switch (name.kind) {
    case filecoin::CircuitKind::porep: return filecoin::compile_porep(shape);
    case filecoin::CircuitKind::snap: return filecoin::compile_update(shape);
    case filecoin::CircuitKind::wpost: return filecoin::compile_post(shape, filecoin::window_counts(shape));
    case filecoin::CircuitKind::winning: break;
  }
  return filecoin::compile_post(shape, filecoin::winning_counts());
}

r1cs::Circuit compile(const std::string& circuit_id) {
  return circuit_id == kToy ? r1cs::compile_toy() : compile(filecoin::CircuitName::from_id(circuit_id));
}

}  // namespace

std::shared_ptr<const r1cs::Circuit> CircuitCatalog::get(const std::string& circuit_id, std::stop_token stop) {
  check_circuit_id(circuit_id);
  std::unique_lock lock(mutex_);
  const auto [place, is_new] = circuits_.try_emplace(circuit_id);
  Entry& entry = place->second;
  entry.used = std::chrono::steady_clock::now();
  if (is_new) entry.compiling = std::jthread([this, &entry, circuit_id] { compile_into(entry, circuit_id); });
  const auto is_done = [&] { return entry.circuit != nullptr || entry.error != nullptr; };
  if (!compiled_.wait(lock, std::move(stop), is_done))
    throw Error(Code::cancelled, fmt::format("compiling circuit {}: cancelled by its caller", circuit_id));
  if (entry.error != nullptr) std::rethrow_exception(entry.error);
  return entry.circuit;
}

std::vector<CircuitStatus> CircuitCatalog::status() const {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  std::vector<CircuitStatus> result;
  for (const auto& [id, entry] : circuits_) {
    const auto idle = std::chrono::duration_cast<std::chrono::seconds>(now - entry.used);
    if (entry.circuit != nullptr) result.push_back({id, entry.circuit->image().size(), idle});
  }
  return result;
}

void CircuitCatalog::compile_into(Entry& entry, const std::string& circuit_id) {
  Pointer circuit;
  std::exception_ptr error;
  try {
    circuit = load_or_compile(circuit_id);
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    entry.circuit = std::move(circuit);
    entry.error = error;
  }
  compiled_.notify_all();
}

Pointer CircuitCatalog::load_or_compile(const std::string& circuit_id) const {
  if (auto file = cache_.load(circuit_id)) return std::make_shared<const r1cs::Circuit>(std::move(file->circuit));
  auto circuit = std::make_shared<const r1cs::Circuit>(compile(circuit_id));
  cache_.store(circuit_id, *circuit);
  return circuit;
}

Digest CircuitCatalog::network_digest(const std::string& circuit_id) {
  const Pointer circuit = get(circuit_id);
  const Digest digest = circuit->digest();
  if (known_network_digest(circuit_id) != digest) cache_.store(circuit_id, *circuit, digest);
  return digest;
}

std::optional<Digest> CircuitCatalog::known_network_digest(const std::string& circuit_id) const {
  const auto file = cache_.load(circuit_id);
  return file ? file->origin.network_digest : std::nullopt;
}

std::vector<std::string> circuit_ids() {
  std::vector<std::string> ids{kToy};
  for (const auto& name : filecoin::all_circuits()) ids.push_back(name.id());
  return ids;
}

void check_circuit_id(std::string_view circuit_id) {
  const auto ids = circuit_ids();
  if (std::find(ids.begin(), ids.end(), circuit_id) != ids.end()) return;
  constexpr std::string_view kOtherName = "window-";  // what the kind of proof is called elsewhere
  const std::string hint = circuit_id.starts_with(kOtherName)
                               ? fmt::format(", did you mean wpost-{}?", circuit_id.substr(kOtherName.size()))
                               : "";
  throw invalid_input("there is no circuit '{}'{}; there are {}", circuit_id, hint, fmt::join(ids, ", "));
}

keys::KeyFileNames key_file_names(std::string_view circuit_id) {
  check_circuit_id(circuit_id);
  if (circuit_id == kToy) return {"toy.params", "toy.vk"};
  const auto name = filecoin::CircuitName::from_id(circuit_id);
  return {name.params_file(), name.vk_file(), std::string(filecoin::network_params_digest(name))};
}

}  // namespace cuzk::engine
