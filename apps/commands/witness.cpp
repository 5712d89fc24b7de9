#include <memory>

#include "base/error.h"
#include "base/hex.h"
#include "commands/commands.h"
#include "common/output.h"
#include "common/requests.h"
#include "engine/satisfaction.h"
#include "hash/sha256.h"

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

class FieldHasher {
 public:
  void add(const Fr& value) { hash_.update(value.to_bytes()); }
  std::string finish() { return to_hex(hash_.finish()); }

 private:
  Sha256 hash_;
};

/// Calls visit(value) for each auxiliary variable in order.
template <class Visit>
void for_each_aux(const r1cs::Witness& witness, Visit&& visit) {
  const BitSpan bits = witness.bits();
  for (const auto& segment : witness.segments()) {
    for (std::size_t i = segment.start; i < segment.start + segment.count; ++i) {
      if (segment.kind == r1cs::Segment::Kind::bits) {
        visit(bits[i] ? Fr::one() : Fr::zero());
      } else {
        visit(witness.elements()[i]);
      }
    }
  }
}

std::string digest_of(const r1cs::Witness& witness) {
  FieldHasher hasher;
  for (const Fr& input : witness.inputs()) hasher.add(input);
  for_each_aux(witness, [&](const Fr& value) { hasher.add(value); });
  return hasher.finish();
}

std::string digest_of(const std::vector<Fr>& values) {
  FieldHasher hasher;
  for (const Fr& value : values) hasher.add(value);
  return hasher.finish();
}

Counts count(const r1cs::Witness& witness) {
  Counts counts;
  for_each_aux(witness, [&](const Fr& value) { counts.add(value); });
  return counts;
}

JsonObject json_of(const WitnessOptions& options, const r1cs::Witness& witness, const engine::Evaluation& values,
                   bool satisfied) {
  const auto counts = count(witness);
  JsonObject object;
  object.add("partition", options.partition).add("zeros", counts.zeros).add("ones", counts.ones);
  object.add("others", counts.others);
  if (options.digest) {
    object.add("sha256", digest_of(witness)).add("a_sha256", digest_of(values.a));
    object.add("b_sha256", digest_of(values.b)).add("c_sha256", digest_of(values.c));
  }
  return object.add("satisfied", satisfied);
}

std::string text_of(const WitnessOptions& options, const r1cs::Witness& witness, const engine::Evaluation& values,
                    bool satisfied) {
  const auto counts = count(witness);
  auto text = fmt::format("partition {}: {} zeros, {} ones, {} others", options.partition, counts.zeros, counts.ones,
                          counts.others);
  if (options.digest) {
    text += fmt::format("\n  witness {}\n  a       {}\n  b       {}\n  c       {}", digest_of(witness),
                        digest_of(values.a), digest_of(values.b), digest_of(values.c));
  }
  return text + (satisfied ? "\nall constraints hold" : "");
}

void show_witness(const WitnessOptions& options, ExitStatus& status) {
  engine::CircuitCatalog circuits;
  const auto statement = read_statement(options.request, circuits);
  if (options.partition >= statement->partitions()) {
    throw UsageError(
        fmt::format("--partition {}: {} has {}", options.partition, options.request.input, statement->partitions()));
  }
  const auto circuit = statement->circuit();
  const auto witness = statement->witness(options.partition);
  const engine::Evaluation values(*circuit, witness, ThreadPool::shared());
  const auto wrong = values.first_unsatisfied();
  if (options.json) {
    print(Form::json, json_of(options, witness, values, !wrong), "");
  } else {
    print(Form::text, {}, text_of(options, witness, values, !wrong));
  }
  if (!wrong) return;
  note(fmt::format("{}: partition {}: constraint {} of {} does not hold: {}", options.request.input, options.partition,
                   *wrong, circuit->constraints(), circuit->path(*wrong)));
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
