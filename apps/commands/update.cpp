#include <memory>

#include "base/hex.h"
#include "commands/commands.h"
#include "common/files.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/request_writer.h"
#include "common/sealing_options.h"
#include "filecoin/sealing/sector_update.h"

namespace cuzk::apps {

namespace {

struct UpdateOptions {
  SealingOptions sector;
  PieceOptions piece;
  std::string out;
  bool json = false;
};

filecoin::VanillaUpdate prove(const UpdateOptions& options) {
  ProgressBar bar;
  const auto& shape = shape_option(options.sector.size);
  const auto key = seal_sector(options.sector, options.sector.sector_number, bar.callback());
  const auto piece = read_piece(shape, options.piece);
  return filecoin::UpdatedSector(*key, piece, ThreadPool::shared(), bar.callback()).prove();
}

void update(const UpdateOptions& options) {
  check_can_write(options.out);  // now, not after the work
  const auto made = prove(options);
  const std::string comm_r_old = to_hex(made.comm_r_old.to_bytes()), comm_r_new = to_hex(made.comm_r_new.to_bytes());
  JsonObject object = write_request(options.out, request_of(made, options.sector.miner_id));
  object.add("partitions", made.partitions.size()).add("comm_r_old", comm_r_old).add("comm_r_new", comm_r_new);
  object.add("comm_d_new", to_hex(made.comm_d_new.to_bytes()));
  print(options.json ? Form::json : Form::text, object,
        fmt::format("{}: update of a {} sector, {} partitions\n  comm_r_old {}\n  comm_r_new {}", options.out,
                    made.shape->proof_name, made.partitions.size(), comm_r_old, comm_r_new));
}

}  // namespace

void add_update(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<UpdateOptions>();
  auto* command =
      program.add_subcommand("update", "Seals a small sector in memory, gives it new data, writes SnapDeals input");
  add_sealing_options(*command, options->sector);
  auto* file = command->add_option("--new-piece", options->piece.file, "file of the new data; without it zeros");
  command->add_option("--new-counter", options->piece.counter, "blocks SHA-256(this number, block number) instead")
      ->excludes(file);
  command->add_option("--out", options->out, "file for the request")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk update --size 2k --new-counter 7 --out snap.json");
  command->callback([options] { update(*options); });
}

}  // namespace cuzk::apps
