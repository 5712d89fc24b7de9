#include "server/metrics.h"

#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/machine_memory.h"

namespace cuzk::server {

namespace {

using engine::JobResult;
using engine::Kind;
using engine::KindCounts;
using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

ClientMetric counter(double value) {
  ClientMetric metric;
  metric.counter.value = value;
  return metric;
}

ClientMetric gauge(double value) {
  ClientMetric metric;
  metric.gauge.value = value;
  return metric;
}

MetricFamily family(const char* name, const char* help, MetricType type, ClientMetric metric) {
  return {name, help, type, {std::move(metric)}};
}

/// One metric for each kind of proof, labelled with it.
template <class MakeMetric>
MetricFamily by_kind(const char* name, const char* help, MetricType type, const engine::EngineSnapshot& snapshot,
                     MakeMetric&& make) {
  MetricFamily result{name, help, type, {}};
  for (const KindCounts& counts : snapshot.kinds) {
    ClientMetric metric = make(counts);
    metric.label = {{"proof_kind", label(counts.kind)}};
    result.metric.push_back(std::move(metric));
  }
  return result;
}

template <class Count>
double sum_of(const engine::EngineSnapshot& snapshot, Count KindCounts::*count) {
  double sum = 0;
  for (const KindCounts& counts : snapshot.kinds) sum += static_cast<double>(counts.*count);
  return sum;
}

ClientMetric durations(const KindCounts& counts) {
  ClientMetric metric;
  metric.summary.sample_count = counts.completed;
  metric.summary.sample_sum = counts.seconds;
  return metric;
}

std::size_t active(const std::vector<engine::DeviceView>& devices) {
  return static_cast<std::size_t>(std::count_if(devices.begin(), devices.end(), [](const auto& view) {
    return view.state == engine::DeviceLanes::State::active;
  }));
}

/// The families that existing dashboards read.
std::vector<MetricFamily> known_families(const engine::EngineSnapshot& snapshot) {
  const auto completed = [](const KindCounts& c) { return counter(static_cast<double>(c.completed)); };
  const auto failed = [](const KindCounts& c) { return counter(static_cast<double>(c.failed)); };
  return {
      family("cuzk_proofs_completed_total", "Proofs made", MetricType::Counter,
             counter(sum_of(snapshot, &KindCounts::completed))),
      family("cuzk_proofs_failed_total", "Proofs that failed", MetricType::Counter,
             counter(sum_of(snapshot, &KindCounts::failed))),
      family("cuzk_uptime_seconds", "Seconds since the daemon started", MetricType::Gauge,
             gauge(static_cast<double>(snapshot.uptime.count()))),
      family("cuzk_queue_depth", "Jobs that wait", MetricType::Gauge, gauge(sum_of(snapshot, &KindCounts::pending))),
      by_kind("cuzk_proofs_completed", "Proofs made, by kind", MetricType::Counter, snapshot, completed),
      by_kind("cuzk_proofs_failed", "Proofs that failed, by kind", MetricType::Counter, snapshot, failed),
      by_kind("cuzk_proof_duration_seconds", "Seconds from acceptance to the proof, by kind", MetricType::Summary,
              snapshot, durations),
      family("cuzk_running_jobs", "Jobs that run", MetricType::Gauge, gauge(sum_of(snapshot, &KindCounts::running))),
      family("cuzk_gpu_workers", "Devices that prove", MetricType::Gauge,
             gauge(static_cast<double>(active(snapshot.devices)))),
  };
}

MetricFamily key_bytes(const std::vector<engine::DeviceView>& devices) {
  MetricFamily result{"cuzk_key_bytes", "Bytes of a key on its device", MetricType::Gauge, {}};
  for (const auto& view : devices) {
    for (const auto& key : view.keys) {
      ClientMetric metric = gauge(static_cast<double>(key.bytes));
      metric.label = {{"circuit_id", key.circuit_id}, {"device", view.device.name}};
      result.metric.push_back(std::move(metric));
    }
  }
  return result;
}

std::vector<MetricFamily> further_families(const engine::EngineSnapshot& snapshot) {
  const auto pending = [](const KindCounts& c) { return gauge(c.pending); };
  const auto running = [](const KindCounts& c) { return gauge(c.running); };
  const auto cancelled = [](const KindCounts& c) { return counter(static_cast<double>(c.cancelled)); };
  return {
      by_kind("cuzk_jobs_pending", "Jobs that wait, by kind", MetricType::Gauge, snapshot, pending),
      by_kind("cuzk_jobs_running", "Jobs that run, by kind", MetricType::Gauge, snapshot, running),
      by_kind("cuzk_jobs_cancelled_total", "Jobs that were cancelled, by kind", MetricType::Counter, snapshot,
              cancelled),
      key_bytes(snapshot.devices),
      family("cuzk_resident_bytes", "Memory of the process", MetricType::Gauge,
             gauge(static_cast<double>(machine_memory().used))),
  };
}

/// From a key that is there to a batch of partitions behind a queue of others.
const prometheus::Histogram::BucketBoundaries kBounds{0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1,    2.5,
                                                      5,     10,    30,   60,   120, 300,  600, 1800, 3600};

constexpr std::string_view kQueue = "queue", kTotal = "total";
constexpr std::array kStages{kQueue,
                             std::string_view("key_load"),
                             std::string_view("witness"),
                             std::string_view("device"),
                             std::string_view("verify"),
                             kTotal};

double seconds(std::chrono::milliseconds time) { return std::chrono::duration<double>(time).count(); }

double seconds_of(const engine::JobTimings& timings, std::string_view stage) {
  for (const auto& [name, ms] : timings.stages_ms)
    if (name == stage) return ms / 1000;
  return 0;
}

/// Seconds of a stage. The device's time is what a proof takes without its verification.
double seconds_in(const engine::JobTimings& timings, std::string_view stage) {
  if (stage == kQueue) return seconds(timings.queued);
  if (stage == kTotal) return seconds(timings.total);
  if (stage == "key_load") return seconds(timings.key_load);
  if (stage == "witness") return seconds(timings.synthesis);
  const double verify = seconds_of(timings, "verify");
  return stage == "verify" ? verify : std::max(0.0, seconds(timings.device) - verify);
}

}  // namespace

/// One histogram for each kind and stage, all there from the start, so that a rate has a beginning.
class Metrics::Stages {
 public:
  Stages() {
    auto& family = prometheus::BuildHistogram()
                       .Name("cuzk_stage_seconds")
                       .Help("Seconds of a job's stages, summed over its partitions")
                       .Register(registry_);
    for (const Kind kind : engine::kKinds)
      for (const auto stage : kStages)
        histograms_[{kind, stage}] = &family.Add({{"proof_kind", label(kind)}, {"stage", std::string(stage)}}, kBounds);
  }

  void add(Kind kind, const JobResult& result) {
    const bool completed = result.state == engine::JobState::completed;
    for (const auto stage : kStages)
      if (completed || stage == kQueue) histograms_.at({kind, stage})->Observe(seconds_in(result.timings, stage));
  }

  std::vector<MetricFamily> collect() const { return registry_.Collect(); }

 private:
  prometheus::Registry registry_;
  std::map<std::pair<Kind, std::string_view>, prometheus::Histogram*> histograms_;
};

Metrics::Metrics() : stages_(std::make_unique<Stages>()) {}
Metrics::~Metrics() = default;

void Metrics::add(Kind kind, const JobResult& result) { stages_->add(kind, result); }

std::string Metrics::text(const engine::EngineSnapshot& snapshot) const {
  auto families = known_families(snapshot);
  for (auto& more : {further_families(snapshot), stages_->collect()})
    families.insert(families.end(), more.begin(), more.end());
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace cuzk::server
