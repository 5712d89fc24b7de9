#include <memory>

#include "base/error.h"
#include "base/hex.h"
#include "commands/commands.h"
#include "common/output.h"
#include "common/requests.h"
#include "engine/satisfaction.h"
#include "hash/element_hasher.h"
#include "r1cs/evaluator.h"
#include "r1cs/witness_digest.h"

namespace cuzk::apps {

namespace {

struct WitnessOptions {
  RequestOptions request;
  std::size_t partition = 0;
  bool digest = false, json = false;
};

struct Counts {
  u64 zeros = 0, ones = 0, others = 0;

  void add(const Fr& value) { ++(value.is_zero() ? zeros : value == Fr::one() ? ones : others); }
};

/// What became of the constraints: digests of a, b, c where they are asked for, and the first that does not hold.
struct Constraints {
  std::string a, b, c;
  std::optional<u64> unsatisfied;
};

Constraints evaluate(const WitnessOptions& options, const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  Constraints result;
  ElementHasher a, b, c;
  r1cs::Evaluator(circuit).for_each_slice(witness, ThreadPool::shared(), [&](const r1cs::Evaluator::Slice& slice) {
    if (!result.unsatisfied) result.unsatisfied = engine::first_unsatisfied(slice);
    if (!options.digest) return;
    ThreadPool::shared().invoke([&] { a.add(slice.a); }, [&] { b.add(slice.b); }, [&] { c.add(slice.c); });
  });
  if (options.digest) result.a = to_hex(a.finish()), result.b = to_hex(b.finish()), result.c = to_hex(c.finish());
  return result;
}

Counts count(const r1cs::Witness& witness) {
  Counts counts;
  r1cs::for_each_aux(witness, [&](const Fr& value) { counts.add(value); });
  return counts;
}

JsonObject json_of(const WitnessOptions& options, const r1cs::Witness& witness, const Constraints& constraints) {
  const auto counts = count(witness);
  JsonObject object;
  object.add("partition", options.partition).add("zeros", counts.zeros).add("ones", counts.ones);
  object.add("others", counts.others);
  if (options.digest) {
    object.add("sha256", to_hex(r1cs::digest(witness))).add("a_sha256", constraints.a);
    object.add("b_sha256", constraints.b).add("c_sha256", constraints.c);
  }
  return object.add("satisfied", !constraints.unsatisfied);
}

std::string text_of(const WitnessOptions& options, const r1cs::Witness& witness, const Constraints& constraints) {
  const auto counts = count(witness);
  auto text = fmt::format("partition {}: {} zeros, {} ones, {} others", options.partition, counts.zeros, counts.ones,
                          counts.others);
  if (options.digest) {
    text += fmt::format("\n  witness {}\n  a       {}\n  b       {}\n  c       {}", to_hex(r1cs::digest(witness)),
                        constraints.a, constraints.b, constraints.c);
  }
  return text + (constraints.unsatisfied ? "" : "\nall constraints hold");
}

void show_witness(const WitnessOptions& options, ExitStatus& status) {
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  const auto statement = read_statement(options.request, circuits);
  if (options.partition >= statement->partitions()) {
    throw UsageError(
        fmt::format("--partition {}: {} has {}", options.partition, options.request.input, statement->partitions()));
  }
  const auto circuit = statement->circuit();
  const auto witness = statement->witness(options.partition);
  const auto constraints = evaluate(options, *circuit, witness);
  if (options.json) {
    print(Form::json, json_of(options, witness, constraints), "");
  } else {
    print(Form::text, {}, text_of(options, witness, constraints));
  }
  if (!constraints.unsatisfied) return;
  note(fmt::format("{}: partition {}: constraint {} of {} does not hold: {}", options.request.input, options.partition,
                   *constraints.unsatisfied, circuit->constraints(), circuit->path(*constraints.unsatisfied)));
  status = kFailed;
}

}  // namespace

void add_witness(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<WitnessOptions>();
  auto* command = program.add_subcommand("witness", "Computes a witness and checks every constraint; needs no key");
  add_request_options(*command, options->request);
  command->add_option("--partition", options->partition, "counted from 0")->capture_default_str();
  command->add_flag("--digest", options->digest, "also SHA-256 of the witness and of a, b, c");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk witness porep c1.json --partition 0 --digest");
  command->callback([options, &status] { show_witness(*options, status); });
}

}  // namespace cuzk::apps
