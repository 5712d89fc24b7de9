#include <benchmark/benchmark.h>

#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"
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
  for (auto _ : state) benchmark::DoNotOptimize(decode_c1(body));
  state.SetBytesProcessed(static_cast<i64>(state.iterations() * request_of_32gib().size()));
}
BENCHMARK(decode_32gib)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::filecoin
