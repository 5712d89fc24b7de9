#include "server/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <vector>

namespace cuzk::server {

namespace {

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
double total(const engine::EngineSnapshot& snapshot, Count KindCounts::*count) {
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

}  // namespace

std::string prometheus_text(const engine::EngineSnapshot& snapshot, unsigned workers) {
  const auto completed = [](const KindCounts& c) { return counter(static_cast<double>(c.completed)); };
  const auto failed = [](const KindCounts& c) { return counter(static_cast<double>(c.failed)); };
  const std::vector<MetricFamily> families{
      family("cuzk_proofs_completed_total", "Proofs made", MetricType::Counter,
             counter(total(snapshot, &KindCounts::completed))),
      family("cuzk_proofs_failed_total", "Proofs that failed", MetricType::Counter,
             counter(total(snapshot, &KindCounts::failed))),
      family("cuzk_uptime_seconds", "Seconds since the daemon started", MetricType::Gauge,
             gauge(static_cast<double>(snapshot.uptime.count()))),
      family("cuzk_queue_depth", "Jobs that wait", MetricType::Gauge, gauge(total(snapshot, &KindCounts::pending))),
      by_kind("cuzk_proofs_completed", "Proofs made, by kind", MetricType::Counter, snapshot, completed),
      by_kind("cuzk_proofs_failed", "Proofs that failed, by kind", MetricType::Counter, snapshot, failed),
      by_kind("cuzk_proof_duration_seconds", "Seconds from acceptance to the proof, by kind", MetricType::Summary,
              snapshot, durations),
      family("cuzk_running_jobs", "Jobs that run", MetricType::Gauge, gauge(total(snapshot, &KindCounts::running))),
      family("cuzk_gpu_workers", "Devices that prove", MetricType::Gauge, gauge(workers)),
  };
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace cuzk::server
