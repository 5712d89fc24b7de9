#include <memory>
#include <vector>

#include "base/hex.h"
#include "commands/commands.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/request_writer.h"
#include "common/sealing_options.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin/sealing/sparse_porep.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"

namespace cuzk::apps {

using filecoin::SparseData;

namespace {

const std::vector<std::string> kKinds{"porep", "snap", "window", "winning"};

struct SparseOptions {
  std::string kind, size, out;
  u64 seed = 0;
  u32 sectors = 0;
  bool old_graph = false, filled = false, json = false;
};

/// The text that all values are derived from; PoRep's has a word more.
std::string seed_text(const SparseOptions& options) {
  return fmt::format("sparse {}{}-{} {}", options.kind == "porep" ? "sector " : "", options.kind, options.size,
                     options.seed);
}

std::string porep(const SparseOptions& options, const filecoin::SectorShape& shape) {
  ProgressBar bar;
  filecoin::SparsePorepOrder order{
      {options.old_graph ? filecoin::SealVariant::v1 : filecoin::SealVariant::v1_1, &shape}, seed_text(options)};
  if (options.filled) order.data = SparseData::filled;
  bar.show("trees", 0, 0);
  const filecoin::SparsePorep sector(order, ThreadPool::shared());
  return filecoin::c1_json(sector, sector.seed(), ThreadPool::shared(), bar.callback());
}

std::string snap(const SparseOptions& options, const filecoin::SectorShape& shape) {
  const auto update = filecoin::sparse_update(shape, seed_text(options), SparseData::filled, ThreadPool::shared());
  return request_of(update, filecoin::kSparseMiner);
}

std::string post(const SparseOptions& options, const filecoin::SectorShape& shape) {
  using filecoin::ApiVersion, filecoin::PostKind;
  const bool winning = options.kind == "winning";
  const filecoin::PostProof proof{winning ? PostKind::winning : PostKind::window,
                                  winning ? ApiVersion::v1_0 : ApiVersion::v1_2, &shape};
  const u32 sectors = options.sectors != 0 ? options.sectors : proof.sectors_per_partition();
  const auto made = filecoin::sparse_post(proof, seed_text(options), sectors, ThreadPool::shared());
  return request_of(made, filecoin::kSparseMiner);
}

std::string make(const SparseOptions& options, const filecoin::SectorShape& shape) {
  if (options.kind == "porep") return porep(options, shape);
  return options.kind == "snap" ? snap(options, shape) : post(options, shape);
}

void sparse(const SparseOptions& options) {
  const auto& shape = shape_option(options.size);
  JsonObject object = write_request(options.out, make(options, shape));
  object.add("kind", options.kind).add("sector_size", shape.bytes).add("seed", options.seed);
  print(
      options.json ? Form::json : Form::text, object,
      fmt::format("{}: {} of a sparse {} sector, seed {}", options.out, options.kind, shape.proof_name, options.seed));
}

}  // namespace

void add_sparse(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<SparseOptions>();
  auto* command = program.add_subcommand(
      "sparse", "Writes a valid input of any sector size without sealing: values at the challenged nodes alone");
  command->add_option("KIND", options->kind, "porep, snap, window, winning")->required()->check(CLI::IsMember(kKinds));
  command->add_option("--size", options->size, "of the sector, such as 32g")->required();
  command->add_option("--seed", options->seed, "a number; the same gives the same file")->capture_default_str();
  command->add_option("--sectors", options->sectors, "window: how many; without it a whole partition");
  command->add_flag("--v1", options->old_graph, "porep: the graph of API 1.0");
  command->add_flag("--filled", options->filled, "porep: data that is not zero");
  command->add_option("--out", options->out, "file for the C1 JSON or the request")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk sparse porep --size 32g --seed 0 --out c1.json");
  command->callback([options] { sparse(*options); });
}

}  // namespace cuzk::apps
