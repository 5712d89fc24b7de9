#include "stress_plan.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/error.h"
#include "commands/server_connection.h"
#include "common/exit_status.h"
#include "common/files.h"
#include "common/requests.h"
#include "measure/baseline_options.h"
#include "server/messages.h"

namespace cuzk::apps {
namespace {

constexpr unsigned kMostWeight = 1000;

v1::SubmitProofRequest request_of(const std::string& kind, const std::string& file) {
  return server::request_message(read_input({kind, file, {}}), "");
}

/// A WinningPoSt request, or a toy that a test's daemon takes for one.
v1::SubmitProofRequest urgent_request(const std::string& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 26;
  const bool is_real = read_file(file, kLargest).starts_with('{');
  auto request = request_of(is_real ? "winning" : "toy", file);
  request.set_proof_kind(v1::WINNING_POST);
  return request;
}

/// One part of a mix.
struct Part {
  std::string kind, file;
  unsigned weight = 1;
};

Part part_of(const std::string& text) {
  const auto equals = text.find('='), colon = text.rfind(':');
  Part part;
  if (equals == std::string::npos)
    throw UsageError(fmt::format("--mix {}: expected KIND=FILE:WEIGHT, such as porep=c1.json:3", text));
  part.kind = text.substr(0, equals);
  part.file = text.substr(equals + 1);
  if (colon != std::string::npos && colon > equals) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, part.weight);
    if (read.ec != std::errc() || read.ptr != end || part.weight == 0 || part.weight > kMostWeight)
      throw UsageError(fmt::format("--mix {}: the weight is no whole number in [1, {}]", text, kMostWeight));
    part.file = text.substr(equals + 1, colon - equals - 1);
  }
  if (std::ranges::find(kind_words(), part.kind) == kind_words().end())
    throw UsageError(
        fmt::format("--mix {}: no kind '{}'; there are {}", text, part.kind, fmt::join(kind_words(), ", ")));
  return part;
}

void add_mix(LoadPlan& plan, const std::vector<std::string>& mix) {
  std::vector<unsigned> weights(plan.requests.size(), 1);
  for (const std::string& text : mix) {
    const Part part = part_of(text);
    plan.requests.push_back(request_of(part.kind, part.file));
    plan.labels.push_back(part.kind);
    weights.push_back(part.weight);
  }
  plan.order = weighted_order(weights);
}

}  // namespace

std::vector<std::size_t> weighted_order(const std::vector<unsigned>& weights) {
  const auto all = static_cast<i64>(std::accumulate(weights.begin(), weights.end(), u64{0}));
  std::vector<i64> credit(weights.size());
  std::vector<std::size_t> order;
  while (static_cast<i64>(order.size()) < all) {
    for (std::size_t i = 0; i < weights.size(); ++i) credit[i] += weights[i];
    const auto richest = static_cast<std::size_t>(std::ranges::max_element(credit) - credit.begin());
    credit[richest] -= all;
    order.push_back(richest);
  }
  return order;
}

LoadPlan plan_of(const StressOptions& options) {
  LoadPlan plan;
  plan.daemon = connection_of(options.daemon);
  for (const auto& file : options.inputs) {
    plan.requests.push_back(request_of(options.kind, file));
    plan.labels.push_back(options.kind);
  }
  if (!options.mix.empty()) add_mix(plan, options.mix);
  if (plan.requests.empty()) throw UsageError("KIND INPUT, or --mix KIND=FILE:WEIGHT, is required");
  if (!options.urgent.empty()) plan.urgent = urgent_request(options.urgent);
  plan.clients = options.clients.front();
  plan.total = options.requests;
  plan.interval = std::chrono::milliseconds(options.interval_ms);
  plan.urgent_interval = std::chrono::milliseconds(options.urgent_interval_ms);
  if (options.submit_only) plan.waiting = LoadPlan::Waiting::for_acceptance;
  using Pattern = LoadPlan::Arrivals::Pattern;
  const Pattern pattern = options.arrivals == "even" ? Pattern::even : Pattern::poisson;
  if (options.rate > 0) plan.arrivals = {options.rate, pattern, options.seed};
  return plan;
}

void add_stress_options(CLI::App& command, StressOptions& options) {
  add_connection_options(command, options.daemon);
  auto* kind =
      command.add_option("KIND", options.kind, "porep, snap, window, winning, or toy where the daemon takes them")
          ->check(CLI::IsMember(kind_words()));
  command.add_option("INPUT", options.inputs, "request files, taken in turn")->check(CLI::ExistingFile)->needs(kind);
  command.add_option("--mix", options.mix, "more requests, KIND=FILE:WEIGHT; may be repeated; those of INPUT weigh 1")
      ->allow_extra_args(false);  // what follows may be KIND
  auto* clients = command.add_option("--clients", options.clients,
                                     "connections; in a closed loop each has one request at a time; several, such as "
                                     "1,4,16: one load after the other");
  clients->delimiter(',')->allow_extra_args(false)->check(CLI::Range(1, 100'000))->capture_default_str();
  command.add_option("--requests", options.requests, "of all clients together; of each load where there are several")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command.add_option("--warmup", options.output.warmup, "requests that are sent before and not counted")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command.add_option("--interval", options.interval_ms, "ms between the starts of a client's requests; 0: no rest")
      ->capture_default_str();
  auto* submit =
      command.add_flag("--submit-only", options.submit_only, "wait for the acceptance alone; cancel all at the end");
  auto* rate =
      command
          .add_option("--rate", options.rate, "open loop: requests a second, whether or not those before were answered")
          ->check(CLI::PositiveNumber)
          ->excludes(submit);
  command.add_option("--arrivals", options.arrivals, "of --rate: poisson or even")
      ->check(CLI::IsMember({"poisson", "even"}))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "of --arrivals poisson")->capture_default_str();
  command.add_flag("--ramp", options.ramp, "from --rate upwards until the daemon no longer keeps up")->needs(rate);
  command.add_option("--ramp-factor", options.ramp_factor, "from one rate to the next")
      ->check(CLI::Range(1.01, 100.0))
      ->capture_default_str();
  command.add_option("--ramp-steps", options.ramp_steps, "at most")->check(CLI::Range(1, 100))->capture_default_str();
  command.add_option("--knee", options.knee, "--ramp ends where p99 is so many times that of the first step")
      ->check(CLI::Range(1.01, 1e6))
      ->capture_default_str();
  command.add_option("--urgent", options.urgent, "a WinningPoSt request that is sent beside, as CRITICAL")
      ->check(CLI::ExistingFile);
  command.add_option("--urgent-interval", options.urgent_interval_ms, "ms between the starts of urgent requests")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  measure::add_baseline_options(command, options.output);
}

}  // namespace cuzk::apps
