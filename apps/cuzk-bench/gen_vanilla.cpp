#include "gen_vanilla.h"

#include <memory>
#include <string>
#include <vector>

#include "common/files.h"
#include "common/output.h"
#include "common/request_writer.h"
#include "common/sparse_requests.h"
#include "filecoin/sealing/vanilla_writer.h"

namespace cuzk::apps {
namespace {

struct GenVanillaOptions {
  SparseOrder order;
  std::string out;
  bool json = false;
};

/// The proofs, and what a request says beside them.
struct Vanilla {
  JsonObject fields;
  std::vector<std::string> proofs;
};

Vanilla vanilla_of(const filecoin::VanillaPost& post) {
  return {fields_of(post, filecoin::kSparseMiner), filecoin::encode_post(post)};
}

Vanilla winning_post(const SparseOrder& order) { return vanilla_of(sparse_winning(order)); }

Vanilla window_post(const SparseOrder& order) { return vanilla_of(sparse_window(order)); }

Vanilla snap_prove(const SparseOrder& order) {
  const auto update = sparse_snap(order);
  return {fields_of(update, filecoin::kSparseMiner), filecoin::encode_update(update)};
}

using Maker = Vanilla (*)(const SparseOrder&);

void gen_vanilla(const GenVanillaOptions& options, Maker make) {
  check_can_write(options.out);  // now, not after the work
  const Vanilla vanilla = make(options.order);
  JsonObject object = write_request(options.out, proof_list(vanilla.proofs) + "\n");
  object.add("proofs", vanilla.proofs.size()).add("fields", vanilla.fields);
  print(
      options.json ? Form::json : Form::text, object,
      fmt::format("{}: {} vanilla proofs of sparse {} sectors; the request's other fields, which stand on the command "
                  "line beside it:\n{}",
                  options.out, vanilla.proofs.size(), options.order.size, vanilla.fields.text()));
}

void add_kind(CLI::App& parent, const char* name, const char* description, Maker make) {
  auto options = std::make_shared<GenVanillaOptions>();
  auto* command = parent.add_subcommand(name, description);
  add_sparse_options(*command, options->order);
  command->add_option("--out,--output", options->out, "file for the JSON array of base64 strings")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(fmt::format("Example: cuzk-bench gen-vanilla {} --size 32g --out vanilla.json", name));
  command->callback([options, make] { gen_vanilla(*options, make); });
}

}  // namespace

void add_gen_vanilla(CLI::App& program) {
  auto* command = program.add_subcommand(
      "gen-vanilla",
      "Writes vanilla proofs of sparse sectors as a JSON array of base64 strings (cuzk sparse writes whole "
      "requests)");
  command->require_subcommand(1);
  add_kind(*command, "winning-post", "Of one sector, for WinningPoSt", winning_post);
  add_kind(*command, "window-post", "Of the sectors of a partition, or as many as --sectors says", window_post);
  add_kind(*command, "snap-prove", "Of all partitions of a sector update", snap_prove);
}

}  // namespace cuzk::apps
