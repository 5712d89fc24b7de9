#include <memory>

#include "base/hex.h"
#include "commands/commands.h"
#include "common/files.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/request_writer.h"
#include "common/sealing_options.h"
#include "filecoin/sealing/c1_writer.h"

namespace cuzk::apps {

namespace {

struct SealOptions {
  SealingOptions sector;
  std::string seed, out;
  bool json = false;
};

void seal(const SealOptions& options) {
  check_can_write(options.out);  // now, not after the work
  std::unique_ptr<filecoin::SealedSector> sector;
  std::string request;
  {
    ProgressBar bar;
    sector = seal_sector(options.sector, options.sector.sector_number, bar.callback());
    const auto seed = node_option("seed", options.seed, options.sector.sector_number);
    request = filecoin::c1_json(*sector, seed, ThreadPool::shared(), bar.callback());
  }
  const auto& identity = sector->identity();
  const auto& commitments = sector->commitments();
  const std::string comm_d = to_hex(commitments.comm_d), comm_r = to_hex(commitments.comm_r.to_bytes());
  JsonObject object = write_request(options.out, request);
  object.add("registered_proof", identity.proof.name()).add("miner_id", identity.miner_id);
  object.add("sector_number", identity.sector_number).add("comm_d", comm_d).add("comm_r", comm_r);
  object.add("replica_id", to_hex(commitments.replica_id));
  print(options.json ? Form::json : Form::text, object,
        fmt::format("{}: {} of sector {}, miner {}\n  comm_d {}\n  comm_r {}", options.out, identity.proof.name(),
                    identity.sector_number, identity.miner_id, comm_d, comm_r));
}

}  // namespace

void add_seal(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<SealOptions>();
  auto* command = program.add_subcommand("seal", "Seals a small sector in memory and writes the input of its PoRep");
  add_sealing_options(*command, options->sector);
  command->add_option("--seed", options->seed, "32 bytes in hex; without it made of the sector's number");
  command->add_option("--out", options->out, "file for the C1 JSON")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk seal --size 2k --counter 1 --out c1.json");
  command->callback([options] { seal(*options); });
}

}  // namespace cuzk::apps
