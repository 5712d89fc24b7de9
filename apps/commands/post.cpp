#include <memory>
#include <vector>

#include "base/hex.h"
#include "commands/commands.h"
#include "common/files.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/request_writer.h"
#include "common/sealing_options.h"
#include "filecoin/sealing/post_sectors.h"

namespace cuzk::apps {

using filecoin::ApiVersion;
using filecoin::PostKind;
using filecoin::PostProof;

namespace {

struct PostOptions {
  std::string kind, randomness, out;
  SealingOptions sector;
  u64 sectors = 1;
  bool old_api = false, json = false;
};

PostProof proof_of(const PostOptions& options) {
  const auto* shape = &shape_option(options.sector.size);
  if (options.kind == "winning") return {PostKind::winning, ApiVersion::v1_0, shape};
  return {PostKind::window, options.old_api ? ApiVersion::v1_0 : ApiVersion::v1_2, shape};
}

filecoin::VanillaPost prove(const PostOptions& options, const PostProof& proof) {
  ProgressBar bar;
  std::vector<std::unique_ptr<filecoin::SealedSector>> sectors;
  std::vector<const filecoin::SealedSector*> pointers;
  for (u64 i = 0; i < options.sectors; ++i) {
    sectors.push_back(seal_sector(options.sector, options.sector.sector_number + i, bar.callback()));
    pointers.push_back(sectors.back().get());
  }
  auto randomness = node_option("randomness", options.randomness, options.sector.sector_number);
  if (options.randomness.empty()) randomness = clear_top_bits(randomness);
  return filecoin::prove_post(proof, randomness, pointers);
}

void post(const PostOptions& options) {
  const PostProof proof = proof_of(options);
  if (options.sectors == 0 || (options.sectors > 1 && proof.kind == PostKind::winning))
    throw UsageError(fmt::format("--sectors {}: WinningPoSt takes 1, WindowPoSt at least 1", options.sectors));
  check_can_write(options.out);  // now, not after the work
  const auto made = prove(options, proof);
  JsonObject object = write_request(options.out, request_of(made, options.sector.miner_id));
  object.add("registered_proof", proof.name()).add("sectors", options.sectors).add("partitions", made.partitions());
  object.add("randomness", to_hex(made.randomness));
  print(options.json ? Form::json : Form::text, object,
        fmt::format("{}: {} of {} sectors, {} partitions", options.out, proof.name(), options.sectors,
                    made.partitions()));
}

}  // namespace

void add_post(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<PostOptions>();
  auto* command = program.add_subcommand("post", "Seals small sectors in memory and writes the input of their PoSt");
  command->add_option("KIND", options->kind, "window or winning")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"window", "winning"}));
  command->add_option("--sectors", options->sectors, "how many, numbered from --sector-number on")
      ->capture_default_str();
  command->add_flag("--v1", options->old_api, "window: the proof of API 1.0, whose challenges count the sectors");
  add_sealing_options(*command, options->sector);
  command->add_option("--randomness", options->randomness, "32 bytes in hex; without it made of the sector's number");
  command->add_option("--out", options->out, "file for the request")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk post window --size 2k --sectors 3 --out window.json");
  command->callback([options] { post(*options); });
}

}  // namespace cuzk::apps
