#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/seal_proof.h"
#include "process_cost.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

const std::string& request_of_32gib() {
  static const std::string body = test::vector_text("sparse/porep-32g.c1.json.xz");
  return body;
}

void base64(benchmark::State& state) {
  const std::string text = encode_base64(std::vector<u8>(std::size_t{48} << 20, 0x5a));
  std::vector<u8> window(std::size_t{1} << 18);
  for (auto _ : state) {
    Base64Decoder decoder(text);
    while (decoder.read(window) != 0) benchmark::DoNotOptimize(window.data());
  }
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * text.size()));
}
BENCHMARK(base64)->Unit(benchmark::kMillisecond);

void decode_32gib(benchmark::State& state) {
  const std::string& body = request_of_32gib();
  const ProcessCost cost(state);
  for (auto _ : state) benchmark::DoNotOptimize(decode_c1(body));
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * body.size()));
}
BENCHMARK(decode_32gib)->Unit(benchmark::kMillisecond);

/// The request of a non-interactive PoRep of 32 GiB, 640 MB: its form, with the same partition in each place.
std::string non_interactive_request() {
  const std::string& body = request_of_32gib();
  const std::string begin = R"("Phase1Out":")";
  const std::size_t from = body.find(begin) + begin.size();
  const auto bytes = decode_base64(std::string_view(body).substr(from, body.find('"', from) - from));
  std::string phase1(bytes.begin(), bytes.end());
  const SealProof proof{SealVariant::non_interactive, &sector_shape("32g")};
  const std::string partitions = fmt::format(R"("{}":[)", proof.size_tag());
  const std::size_t first = phase1.find(partitions) + partitions.size(), end = phase1.find("}],[{", first) + 2;
  const std::string partition = phase1.substr(first, end - first), last = phase1.substr(phase1.rfind("}]]}") + 2);
  std::string made = fmt::format(R"({{"registered_proof":"{}","vanilla_proofs":{{{})", proof.name(), partitions);
  for (u32 i = 0; i < proof.challenges().partitions; ++i) made += (i == 0 ? "" : ",") + partition;
  made += last;
  return fmt::format(R"({{"SectorNum":1,"Phase1Out":"{}","SectorSize":{}}})",
                     encode_base64({reinterpret_cast<const u8*>(made.data()), made.size()}), proof.shape->bytes);
}

void decode_non_interactive_32gib(benchmark::State& state) {
  static const std::string body = non_interactive_request();
  const ProcessCost cost(state);
  for (auto _ : state) benchmark::DoNotOptimize(decode_c1(body));
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * body.size()));
}
BENCHMARK(decode_non_interactive_32gib)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::filecoin
