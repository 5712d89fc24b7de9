/// Any bytes as calls of ProvingEngine, one after the other, through the service's own functions to an engine with a test's
/// prover: a byte that chooses the call, a little-endian u16 length, the request's message. gRPC's transport is left out.
/// Every call is answered, every job ends, and the engine takes the next one.
///
/// A job id of one character stands for one of the jobs of these calls. The mutator keeps the lengths right and changes
/// inside of messages.
#include <google/protobuf/stubs/logging.h>
#include <grpc/grpc.h>
#include <grpcpp/test/default_reactor_test_peer.h>

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include "engine/statements/toy_statement.h"
#include "fuzzing.h"
#include "server/engine_desk.h"
#include "server/proving_service.h"
#include "toy_works.h"

extern "C" std::size_t LLVMFuzzerMutate(cuzk::u8* data, std::size_t size, std::size_t most);

namespace {

using namespace cuzk;

constexpr std::size_t kHead = 3, kMostCalls = 8;
constexpr std::chrono::seconds kPatience{15};  // less than the fuzzer's own

class ToyKey : public groth16::ProvingKey {
 public:
  const groth16::VerifyingKey& verifying_key() const override { return fuzz::toy_works().key; }
  std::size_t memory() const override { return 4096; }
};

/// Has a key and makes no proof: a verification would be most of an execution.
class Refuser : public groth16::Prover {
 public:
  groth16::Device device() const override { return {"test", "of the fuzzer"}; }
  std::size_t key_memory(const std::filesystem::path&) const override { return 4096; }
  std::size_t proof_memory(const r1cs::Circuit&) const override { return 4096; }
  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path&, groth16::KeyCheck,
                                                      const groth16::Control&) override {
    return std::make_shared<ToyKey>();
  }
  groth16::Proof prove(const groth16::Statement&, const groth16::Blinding&, const groth16::Control&) override {
    throw internal_error("no proof is made here");
  }
};

/// gRPC, started once as by a server: else each alarm starts it and its threads, and ends them again.
struct Transport {
  Transport() { grpc_init(); }
};

/// What a daemon has, as long as the process lives.
struct Works {
  Transport transport;
  engine::CircuitCatalog circuits;
  engine::ToyDecoder decoder{circuits};
  Refuser prover;
  // The key's file is only looked at: any that is there will do.
  keys::KeyStore keys{"/proc/self", [](std::string_view) { return keys::KeyFileNames{"exe", "exe"}; }, prover};
  server::Metrics metrics;
  engine::Engine engine{decoder, {{prover, keys}}, options()};
  server::EngineDesk desk{engine};
  server::ProvingService service{engine, desk, keys, metrics};

  engine::EngineOptions options() {
    engine::EngineOptions options;
    options.retention.jobs = 16;
    options.keep_traces = 16;
    options.on_end = [this](engine::Kind kind, const engine::JobResult& result) { metrics.add(kind, result); };
    return options;
  }
};

Works& works() {
  static Works works;
  return works;
}

using Jobs = std::vector<engine::JobId>;

/// Every job has ended and whoever waited was told.
void end_jobs() {
  works().engine.drain();
  works().engine.set_mode(engine::Mode::accepting);
}

/// A time-out may tell a call its end while that is answered already, so that answers live a little longer.
template <class Response>
std::shared_ptr<Response> lasting() {
  static std::array<std::shared_ptr<Response>, 64> last;
  static std::size_t next = 0;
  return last[next++ % last.size()] = std::make_shared<Response>();
}

/// The job that a character stands for.
template <class Request>
void name_job(Request& request, const Jobs& jobs) {
  if constexpr (requires { request.job_id(); }) {
    if (request.job_id().size() != 1 || jobs.empty()) return;
    const std::size_t number = static_cast<u8>(request.job_id()[0]);
    request.set_job_id(jobs[number % jobs.size()]);
  }
}

/// Answered by the context's own reactor, or by one that waits for a job.
template <class Request, class Response, class Call>
void call(std::span<const u8> bytes, Jobs& jobs, Call function) {
  Request request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  name_job(request, jobs);
  grpc::CallbackServerContext context;
  std::promise<grpc::Status> status;
  const grpc::testing::DefaultReactorTestPeer peer(&context, [&](grpc::Status told) { status.set_value(told); });
  const auto response = lasting<Response>();
  auto* const reactor = (works().service.*function)(&context, &request, response.get());
  if (reactor == peer.reactor()) {
    fuzz::expect(status.get_future().wait_for(kPatience) == std::future_status::ready);
    while (!peer.test_status_set()) std::this_thread::yield();  // the context is written to after the status is told
  } else {
    end_jobs();
    reactor->OnDone();
  }
  if constexpr (std::is_same_v<Response, v1::SubmitProofResponse>)
    if (!response->job_id().empty()) jobs.push_back(response->job_id());
}

using Service = server::ProvingService;

/// Two calls read nothing of their message and write much, milliseconds of it: they have one value each of a byte's 256.
constexpr u8 kCalls = 11, kGetStatus = 4, kGetMetrics = 5;

u8 called(u8 choice) {
  const u8 number = choice % kCalls;
  return choice != number && (number == kGetStatus || number == kGetMetrics) ? 0 : number;
}

void call(u8 choice, std::span<const u8> bytes, Jobs& jobs) {
  using namespace v1;
  switch (called(choice)) {
    case 1: return call<AwaitProofRequest, AwaitProofResponse>(bytes, jobs, &Service::AwaitProof);
    case 2: return call<ProveRequest, ProveResponse>(bytes, jobs, &Service::Prove);
    case 3: return call<CancelProofRequest, CancelProofResponse>(bytes, jobs, &Service::CancelProof);
    case kGetStatus: return call<GetStatusRequest, GetStatusResponse>(bytes, jobs, &Service::GetStatus);
    case kGetMetrics: return call<GetMetricsRequest, GetMetricsResponse>(bytes, jobs, &Service::GetMetrics);
    case 6: return call<PreloadSrsRequest, PreloadSrsResponse>(bytes, jobs, &Service::PreloadSRS);
    case 7: return call<EvictSrsRequest, EvictSrsResponse>(bytes, jobs, &Service::EvictSRS);
    case 8: return call<ListJobsRequest, ListJobsResponse>(bytes, jobs, &Service::ListJobs);
    case 9: return call<DrainRequest, DrainResponse>(bytes, jobs, &Service::Drain);
    case 10: return call<GetTraceRequest, GetTraceResponse>(bytes, jobs, &Service::GetTrace);
    default: return call<SubmitProofRequest, SubmitProofResponse>(bytes, jobs, &Service::SubmitProof);
  }
}

/// One call as it lies in the bytes; the last may be cut short.
struct Record {
  u8 choice;
  std::vector<u8> message;
};

std::vector<Record> split(std::span<const u8> bytes) {
  std::vector<Record> records;
  while (bytes.size() >= kHead && records.size() < kMostCalls) {
    const std::size_t length = bytes[1] | std::size_t{bytes[2]} << 8;
    const auto message = bytes.subspan(kHead).first(std::min(length, bytes.size() - kHead));
    records.push_back({bytes[0], {message.begin(), message.end()}});
    bytes = bytes.subspan(kHead + message.size());
  }
  return records;
}

std::size_t join(std::span<const Record> records, std::span<u8> into) {
  std::size_t size = 0;
  for (const auto& [choice, message] : records) {
    if (into.size() - size < kHead + message.size()) break;
    into[size] = choice;
    into[size + 1] = static_cast<u8>(message.size());
    into[size + 2] = static_cast<u8>(message.size() >> 8);
    std::ranges::copy(message, into.begin() + static_cast<std::ptrdiff_t>(size + kHead));
    size += kHead + message.size();
  }
  return size;
}

void mutate_message(Record& record) {
  constexpr std::size_t kRoom = 64, kMost = 0xffff;
  const std::size_t size = record.message.size();
  record.message.resize(std::min(size + kRoom, kMost));
  record.message.resize(LLVMFuzzerMutate(record.message.data(), size, record.message.size()));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(cuzk::u8* data, std::size_t size, std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  auto records = split({data, size});
  if (records.empty() || random() % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  auto& record = records[random() % records.size()];
  switch (random() % 8) {
    case 0: record.choice = static_cast<u8>(random()); break;
    case 1: records.push_back(Record(record)); break;
    case 2: std::swap(record, records.front()); break;
    case 3: records.pop_back(); break;
    default: mutate_message(record);
  }
  return join(records, {data, most});
}

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  static const google::protobuf::LogSilencer quiet;  // it tells of each text that is no UTF-8
  Jobs jobs;
  for (const auto& [choice, message] : split({data, size})) call(choice, message, jobs);
  end_jobs();
  return 0;
}
