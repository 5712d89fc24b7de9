#include "cuda/prover.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/ablation.h"
#include "base/error.h"
#include "cuda/fresh_key.h"
#include "cuda/key.h"
#include "groth16/input_file.h"
#include "groth16/key_layout.h"
#include "groth16/parameters.h"
#include "groth16/statement_shape.h"

namespace cuzk::cuda {
namespace {

DeviceProperties properties_of(int ordinal) {
  const std::vector<DeviceProperties> all = devices();
  const auto found = std::ranges::find(all, ordinal, &DeviceProperties::ordinal);
  if (found == all.end()) {
    throw Error(Code::not_found, fmt::format("cuda: no device {}; {} found", ordinal, all.size()));
  }
  return *found;
}

std::size_t memory_to_reserve(const CudaProver::Options& options) {
  const std::size_t most = free_memory(options.device) / 10 * 9;
  return options.memory == 0 ? most : std::min(options.memory, most);
}

Stream stream_on(int device) {
  const DeviceGuard guard(device);
  return Stream();
}

/// Circuits of so few constraints are WinningPoSt's, whose proofs must not wait for others: they have a lane, and memory,
/// of their own where a device has memory to spare.
constexpr unsigned kLog2Urgent = 19;
constexpr std::size_t kUrgentMemory = std::size_t{12} << 30, kEnoughToSpare = std::size_t{100} << 30;

std::unique_ptr<Arena> urgent_memory_of(Arena& arena) {
  const MemoryUseScope use(MemoryUse::arena);
  return arena.usage().capacity < kEnoughToSpare ? nullptr : std::make_unique<Arena>(arena, kUrgentMemory);
}

groth16::MemoryRegion region_of(std::string name, const Arena& arena) {
  const Arena::Usage usage = arena.usage();
  return {.name = std::move(name),
          .capacity = usage.capacity,
          .in_use = usage.in_use,
          .peak = usage.peak,
          .largest_free = usage.largest_free,
          .blocks = arena.blocks()};
}

std::unique_ptr<ProofLane> make_lane(const DeviceProperties& device, Arena* memory,
                                     const ProofLane::Priorities& priorities, ThreadPool& pool,
                                     const MemoryPlan& plan) {
  if (memory == nullptr) return nullptr;
  const DeviceGuard guard(device.ordinal);
  return std::make_unique<ProofLane>(device, *memory, priorities, pool, plan);
}

const CudaKey& key_of(const groth16::ProvingKey& key) {
  const auto* const own = dynamic_cast<const CudaKey*>(&key);
  if (own == nullptr) throw invalid_input("cuda: the proving key was loaded by another prover");
  return *own;
}

/// Beside the quotient lie the witness and the values that meet a query: at most a field element and a place for each
/// variable.
constexpr std::size_t kBytesOfVariable = 2 * sizeof(Fr) + 16;

/// Of the work on the points of a fresh key at a time.
constexpr std::size_t kBytesOfPiece = std::size_t{8} << 30;

bool is_out_of_memory(const groth16::ProofOrError& made) {
  const auto* const failure = std::get_if<std::exception_ptr>(&made);
  if (failure == nullptr) return false;
  try {
    std::rethrow_exception(*failure);
  } catch (const Error& error) {
    return error.code() == Code::resource_exhausted;
  } catch (...) {
    return false;
  }
}

/// The domain whose quotient has so many coefficients: one less than its size.
unsigned log2_domain_of(std::size_t h_points) { return static_cast<unsigned>(std::bit_width(h_points)); }

}  // namespace

CudaProver::CudaProver(const Options& options, ThreadPool& pool)
    : pool_(pool),
      plan_(options.plan),
      properties_(properties_of(options.device)),
      memory_(options.device),
      arena_(memory_, memory_to_reserve(options)),
      // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the analyzer loses sight of the pointer that owns it
      urgent_memory_(urgent_memory_of(arena_)),
      loading_stream_(stream_on(options.device)),
      lane_(make_lane(properties_, &arena_, {StreamPriority::normal, StreamPriority::high}, pool, plan_)),
      urgent_lane_(make_lane(properties_, urgent_memory_.get(), {StreamPriority::urgent, StreamPriority::urgent}, pool,
                             plan_)) {}

bool CudaProver::is_urgent(unsigned log2_domain) const { return urgent_lane_ != nullptr && log2_domain <= kLog2Urgent; }

ProofLane& CudaProver::lane_of(unsigned log2_domain) { return is_urgent(log2_domain) ? *urgent_lane_ : *lane_; }

/// What the urgent lane leaves to keys and the other lane.
std::size_t CudaProver::ordinary_memory() const {
  return arena_.usage().capacity - (urgent_memory_ != nullptr ? kUrgentMemory : 0);
}

/// Whether key and proof, frugal as it may be, do not lie beside each other.
bool CudaProver::must_stream(const groth16::KeyLengths& lengths) const {
  if (plan_.key != MemoryPlan::Key::automatic) return plan_.key == MemoryPlan::Key::streamed;
  constexpr std::size_t kSlack = std::size_t{1} << 28, kTiles = std::size_t{4} << 30;
  const std::size_t buffer = sizeof(Fr) << log2_domain_of(lengths.h), variables = kBytesOfVariable * lengths.l;
  const std::size_t proof =
      std::max(quotient_buffers(MemoryPlan::Quotient::by_side) * buffer, std::min(kTiles, lengths.memory()));
  return lengths.memory() + proof + variables + kSlack > budget();
}

std::optional<groth16::DeviceMemory> CudaProver::memory() const {
  const std::size_t urgent = urgent_memory_ != nullptr ? kUrgentMemory : 0;
  return groth16::DeviceMemory{.total = budget() + urgent, .urgent = urgent};
}

/// Tables of domains and compiled circuits stay beside keys and proofs, and no job asks for them.
std::size_t CudaProver::budget() const { return ordinary_memory() - arena_.usage().capacity / 64; }

groth16::Device CudaProver::device() const {
  return {.name = fmt::format("cuda:{}", properties_.ordinal),
          .description = fmt::format("{}, {} GiB reserved", properties_.name, arena_.usage().capacity >> 30)};
}

std::vector<groth16::MemoryRegion> CudaProver::memory_regions() const {
  std::vector<groth16::MemoryRegion> regions{region_of("arena", arena_)};
  if (urgent_memory_ != nullptr) regions.push_back(region_of("urgent arena", *urgent_memory_));
  return regions;
}

std::size_t CudaProver::key_memory(const std::filesystem::path& params) const {
  const groth16::KeyLengths lengths = groth16::read_key_lengths(groth16::InputFile(params));
  return must_stream(lengths) ? 0 : lengths.memory();
}

std::size_t CudaProver::proof_memory(const r1cs::Circuit& circuit) const {
  const std::size_t wanted =
      ProofLane::quotient_memory(properties_, circuit.log2_domain()) + kBytesOfVariable * circuit.aux();
  const groth16::KeyLengths lengths = groth16::key_lengths(circuit);
  const std::size_t key = must_stream(lengths) ? 0 : lengths.memory();
  const std::size_t room = is_urgent(circuit.log2_domain()) ? kUrgentMemory : budget();
  return std::min(wanted, room - std::min(key, room));
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::load_key(const std::filesystem::path& params,
                                                                groth16::KeyCheck check,
                                                                const groth16::Control& control) {
  const Span span = control.span("load_key");
  const groth16::InputFile file(params);
  const groth16::KeyLengths lengths = groth16::read_key_lengths(file);
  if (must_stream(lengths)) return read_to_host(params, check, control);
  groth16::VerifyingKey verifying_key = groth16::read_verifying_key(file, lengths);
  const std::lock_guard lock(loading_);
  const DeviceGuard guard(properties_.ordinal);
  if (loader_ == nullptr) loader_ = std::make_unique<KeyLoader>(loading_stream_, pool_);
  auto room = room_for_key(lengths);
  const IdleAtEnd idle(loading_stream_);
  return std::make_shared<CudaKey>(std::move(verifying_key), loader_->load(file, lengths, check, *room, control));
}

/// Keys lie in the memory that all share: between two proofs, no stream uses what was given back there.
template <class Work>
auto CudaProver::with_memory_for_key(unsigned log2_domain, Work&& work) {
  lane_of(log2_domain).prepare(log2_domain);
  return lane_->between_proofs(std::forward<Work>(work));
}

std::unique_ptr<KeyLoader::Room> CudaProver::room_for_key(const groth16::KeyLengths& lengths) {
  return with_memory_for_key(log2_domain_of(lengths.h), [&](const Queue& queue) {
    const MemoryUseScope use(MemoryUse::key);
    return std::make_unique<KeyLoader::Room>(lengths, queue.memory);
  });
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::read_to_host(const std::filesystem::path& params,
                                                                    groth16::KeyCheck check,
                                                                    const groth16::Control& control) {
  groth16::Parameters parameters = groth16::read_parameters(params, check, pool_, control);
  const DeviceGuard guard(properties_.ordinal);
  groth16::VerifyingKey verifying_key = parameters.verifying_key;
  return std::make_shared<CudaKey>(std::move(verifying_key), pinned_points(std::move(parameters)));
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::make_key(const r1cs::Circuit& circuit,
                                                                const groth16::ToxicWaste& waste,
                                                                const groth16::Control& control) {
  const Span span = control.span("make_key");
  const KeyPlace place = must_stream(groth16::key_lengths(circuit)) ? KeyPlace::host : KeyPlace::device;
  const std::size_t piece = std::min(kBytesOfPiece, arena_.usage().capacity / 4);
  return with_memory_for_key(circuit.log2_domain(), [&](const Queue& queue) {
    return cuda::make_key(queue, circuit, waste, place, piece, pool_, control);
  });
}

groth16::Proof CudaProver::prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                                 const groth16::Control& control) {
  const CudaKey& key = key_of(statement.key);
  check_shape(key.lengths(), statement.circuit, statement.witness);
  return lane_of(statement.circuit.log2_domain()).prove(key, statement, blinding, control);
}

/// By the plan that a proof alone would have: a slower quotient costs more than shared tiles save.
u32 CudaProver::proofs_together(const r1cs::Circuit& circuit) const {
  using Quotient = MemoryPlan::Quotient;
  if (!must_stream(groth16::key_lengths(circuit)) || is_left_out(Optimization::shared_tiles)) return 1;
  constexpr std::size_t kWitness = 6;  // bytes of a variable that is a bit, with its places in lists
  constexpr std::size_t kSlack = std::size_t{1} << 28;
  const std::size_t buffer = sizeof(Fr) << circuit.log2_domain(), capacity = ordinary_memory();
  const auto room = [&](Quotient plan, u32 count) {
    return (quotient_buffers(plan) + count - 1) * buffer + count * kWitness * circuit.aux() + kSlack <= capacity;
  };
  const Quotient plan = room(Quotient::at_once, 1)   ? Quotient::at_once
                        : room(Quotient::by_side, 1) ? Quotient::by_side
                                                     : Quotient::parked;
  constexpr u32 kMost = 4;
  for (u32 count = kMost; count > 1; --count)
    if (room(plan, count)) return count;
  return 1;
}

std::vector<groth16::ProofOrError> CudaProver::prove_together(const groth16::ProvingKey& key,
                                                              const r1cs::Circuit& circuit,
                                                              std::span<const groth16::ProofOfMany> proofs) {
  const CudaKey& own = key_of(key);
  if (own.is_resident() || proofs.size() < 2) return Prover::prove_together(key, circuit, proofs);
  for (const groth16::ProofOfMany& proof : proofs) check_shape(own.lengths(), circuit, proof.witness);
  auto made = lane_of(circuit.log2_domain()).prove_together(own, circuit, proofs);
  for (std::size_t i = 0; i < proofs.size(); ++i)
    if (is_out_of_memory(made[i])) made[i] = Prover::prove_together(key, circuit, proofs.subspan(i, 1)).front();
  return made;
}

}  // namespace cuzk::cuda
