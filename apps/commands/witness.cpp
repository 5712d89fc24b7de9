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

/// SHA-256 of field elements as 32 canonical bytes each. Most values of a circuit of bits are 0 or 1: their bytes are
/// ready.
class FieldHasher {
 public:
  void add(const Fr& value) {
    const auto bytes = value.is_zero() ? kZero : value.is_one() ? kOne : value.to_bytes();
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kBuffer) flush();
  }
  void add(std::span<const Fr> values) {
    for (const Fr& value : values) add(value);
  }

  std::string finish() {
    flush();
    return to_hex(hash_.finish());
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 15;
  static constexpr Fr::Bytes kZero{}, kOne{1};

  void flush() {
    hash_.update(buffer_);
    buffer_.clear();
  }

  Sha256 hash_;
  std::vector<u8> buffer_;
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
  hasher.add(witness.inputs());
  for_each_aux(witness, [&](const Fr& value) { hasher.add(value); });
  return hasher.finish();
}

/// What became of the constraints: digests of a, b, c where they are asked for, and the first that does not hold.
struct Constraints {
  std::string a, b, c;
  std::optional<u64> unsatisfied;
};

Constraints evaluate(const WitnessOptions& options, const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  Constraints result;
  FieldHasher a, b, c;
  r1cs::Evaluator(circuit).for_each_slice(witness, ThreadPool::shared(), [&](const r1cs::Evaluator::Slice& slice) {
    if (!result.unsatisfied) result.unsatisfied = engine::first_unsatisfied(slice);
    if (!options.digest) return;
    ThreadPool::shared().invoke([&] { a.add(slice.a); }, [&] { b.add(slice.b); }, [&] { c.add(slice.c); });
  });
  if (options.digest) result.a = a.finish(), result.b = b.finish(), result.c = c.finish();
  return result;
}

Counts count(const r1cs::Witness& witness) {
  Counts counts;
  for_each_aux(witness, [&](const Fr& value) { counts.add(value); });
  return counts;
}

JsonObject json_of(const WitnessOptions& options, const r1cs::Witness& witness, const Constraints& constraints) {
  const auto counts = count(witness);
  JsonObject object;
  object.add("partition", options.partition).add("zeros", counts.zeros).add("ones", counts.ones);
  object.add("others", counts.others);
  if (options.digest) {
    object.add("sha256", digest_of(witness)).add("a_sha256", constraints.a);
    object.add("b_sha256", constraints.b).add("c_sha256", constraints.c);
  }
  return object.add("satisfied", !constraints.unsatisfied);
}

std::string text_of(const WitnessOptions& options, const r1cs::Witness& witness, const Constraints& constraints) {
  const auto counts = count(witness);
  auto text = fmt::format("partition {}: {} zeros, {} ones, {} others", options.partition, counts.zeros, counts.ones,
                          counts.others);
  if (options.digest) {
    text += fmt::format("\n  witness {}\n  a       {}\n  b       {}\n  c       {}", digest_of(witness), constraints.a,
                        constraints.b, constraints.c);
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
