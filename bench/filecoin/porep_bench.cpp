#include <benchmark/benchmark.h>

#include <filesystem>

#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "process_cost.h"
#include "r1cs/circuit_file.h"
#include "r1cs/evaluator.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

PorepInput input_of_2kib() { return decode_c1(test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz")).partitions[0]; }

void compile(benchmark::State& state, const char* size) {
  for (auto _ : state) benchmark::DoNotOptimize(compile_porep(sector_shape(size)));
}
BENCHMARK_CAPTURE(compile, porep_2k, "2k")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, porep_32g, "32g")->Unit(benchmark::kMillisecond);

void witness_2k(benchmark::State& state) {
  const PorepInput input = input_of_2kib();
  for (auto _ : state) benchmark::DoNotOptimize(porep_witness(input));
}
BENCHMARK(witness_2k)->Unit(benchmark::kMillisecond);

void evaluate_2k(benchmark::State& state) {
  const r1cs::Circuit circuit = compile_porep(sector_shape("2k"));
  const r1cs::Witness witness = porep_witness(input_of_2kib());
  std::vector<Fr> a(circuit.constraints()), b(a.size()), c(a.size());
  ThreadPool one(1);
  for (auto _ : state) circuit.evaluate(witness, a, b, c, one);
}
BENCHMARK(evaluate_2k)->Unit(benchmark::kMillisecond);

/// a, b, c in slices, as a device takes them; nothing is hashed.
void evaluate_porep_32g(benchmark::State& state) {
  const r1cs::Circuit circuit = compile_porep(sector_shape("32g"));
  const r1cs::Witness witness =
      porep_witness(decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz")).partitions[0]);
  const r1cs::Evaluator evaluator(circuit);
  ThreadPool one(1);
  const ProcessCost cost(state);
  for (auto _ : state)
    evaluator.for_each_slice(witness, one, [](const auto& slice) { benchmark::DoNotOptimize(slice.c.data()); });
}
BENCHMARK(evaluate_porep_32g)->Unit(benchmark::kMillisecond);

/// The compiled circuit from its file, checked.
void read_porep_32g(benchmark::State& state) {
  const auto file = std::filesystem::temp_directory_path() / "cuzk_bench.circuit";
  const r1cs::CircuitOrigin origin{};
  r1cs::write_circuit(file, compile_porep(sector_shape("32g")), origin);
  const ProcessCost cost(state);
  for (auto _ : state) benchmark::DoNotOptimize(r1cs::read_circuit(file, origin.maker));
  state.counters["file_MiB"] = static_cast<double>(std::filesystem::file_size(file)) / (1 << 20);
  std::filesystem::remove(file);
}
BENCHMARK(read_porep_32g)->Unit(benchmark::kMillisecond);

void column_sums_2k(benchmark::State& state) {
  const r1cs::Circuit circuit = compile_porep(sector_shape("2k"));
  const std::vector<Fr> weights(circuit.constraints(), Fr::from_u64(3));
  ThreadPool one(1);
  for (auto _ : state) benchmark::DoNotOptimize(circuit.column_sums(weights, one));
}
BENCHMARK(column_sums_2k)->Unit(benchmark::kMillisecond);

void select_dense_2k(benchmark::State& state) {
  const r1cs::Densities densities = compile_porep(sector_shape("2k")).densities();
  const r1cs::Witness witness = porep_witness(input_of_2kib());
  for (auto _ : state) {
    benchmark::DoNotOptimize(r1cs::select_dense(witness, densities.a_aux));
    benchmark::DoNotOptimize(r1cs::select_dense(witness, densities.b_aux));
  }
}
BENCHMARK(select_dense_2k)->Unit(benchmark::kMillisecond);

void digest_2k(benchmark::State& state) {
  const r1cs::Circuit circuit = compile_porep(sector_shape("2k"));
  for (auto _ : state) benchmark::DoNotOptimize(circuit.digest());
}
BENCHMARK(digest_2k)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk::filecoin
