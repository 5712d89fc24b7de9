#include <memory>
#include <vector>

#include "base/hex.h"
#include "commands/commands.h"
#include "common/files.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/request_writer.h"
#include "common/sealing_options.h"
#include "common/sparse_requests.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin/sealing/sparse_porep.h"

namespace cuzk::apps {

namespace {

const std::vector<std::string> kKinds{"porep", "snap", "window", "winning"};

struct SparseOptions {
  std::string kind, out;
  SparseOrder order;
  bool old_graph = false, filled = false, json = false;
};

std::string porep(const SparseOptions& options, const filecoin::SectorShape& shape) {
  ProgressBar bar;
  filecoin::SparsePorepOrder order{
      {options.old_graph ? filecoin::SealVariant::v1 : filecoin::SealVariant::v1_1, &shape},
      fmt::format("sparse sector porep-{} {}", options.order.size, options.order.seed)};
  if (options.filled) order.data = filecoin::SparseData::filled;
  bar.show("trees", 0, 0);
  const filecoin::SparsePorep sector(order, ThreadPool::shared());
  return filecoin::c1_json(sector, sector.seed(), ThreadPool::shared(), bar.callback());
}

std::string make(const SparseOptions& options, const filecoin::SectorShape& shape) {
  if (options.kind == "porep") return porep(options, shape);
  if (options.kind == "snap") return request_of(sparse_snap(options.order), filecoin::kSparseMiner);
  const bool winning = options.kind == "winning";
  return request_of(winning ? sparse_winning(options.order) : sparse_window(options.order), filecoin::kSparseMiner);
}

void sparse(const SparseOptions& options) {
  const auto& shape = shape_option(options.order.size);
  check_can_write(options.out);  // now, not after the work
  JsonObject object = write_request(options.out, make(options, shape));
  object.add("kind", options.kind).add("sector_size", shape.bytes).add("seed", options.order.seed);
  print(options.json ? Form::json : Form::text, object,
        fmt::format("{}: {} of a sparse {} sector, seed {}", options.out, options.kind, shape.proof_name,
                    options.order.seed));
}

}  // namespace

void add_sparse(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<SparseOptions>();
  auto* command = program.add_subcommand(
      "sparse", "Writes a valid input of any sector size without sealing: values at the challenged nodes alone");
  command->add_option("KIND", options->kind, "porep, snap, window, winning")->required()->check(CLI::IsMember(kKinds));
  add_sparse_options(*command, options->order);
  command->add_flag("--v1", options->old_graph, "porep: the graph of API 1.0");
  command->add_flag("--filled", options->filled, "porep: data that is not zero");
  command->add_option("--out", options->out, "file for the C1 JSON or the request")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk sparse porep --size 32g --seed 0 --out c1.json");
  command->callback([options] { sparse(*options); });
}

}  // namespace cuzk::apps
