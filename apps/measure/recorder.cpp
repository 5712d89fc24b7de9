#include "measure/recorder.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

namespace cuzk::measure {
namespace {

std::string name_of(const Case& what, const Reading& reading) {
  return reading.name.empty() ? what.name : fmt::format("{}.{}", what.name, reading.name);
}

/// One measurement for each reading of a first sample.
std::vector<Measurement> measurements_of(const Case& what, const std::vector<Reading>& readings) {
  std::vector<Measurement> measurements;
  measurements.reserve(readings.size());
  for (const Reading& reading : readings) {
    measurements.push_back({.name = name_of(what, reading),
                            .unit = reading.unit,
                            .better = reading.better,
                            .size = what.size,
                            .size_of = what.size_of});
  }
  return measurements;
}

}  // namespace

double time_ms(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

Sample timed(std::function<void()> work) {
  return [work = std::move(work)] {
    const std::clock_t begin = std::clock();
    const double ms = time_ms(work);
    const double cpu = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return std::vector<Reading>{{"", ms}, {"cpu", cpu}};
  };
}

void Recorder::measure(const Case& what) {
  const std::string label = what.size ? fmt::format("{} {:g}", what.name, *what.size) : what.name;
  progress(label + ": preparing", 0, 0);
  const Sample sample = what.prepare();
  for (unsigned i = 0; i < options_.warmup; ++i) {
    progress(label + ": warming up", i, options_.warmup);
    sample();
  }
  std::vector<Measurement> measurements;
  for (unsigned i = 0; i < options_.samples; ++i) {
    progress(label, i, options_.samples);
    const std::vector<Reading> readings = sample();
    if (measurements.empty()) measurements = measurements_of(what, readings);
    for (std::size_t k = 0; k < measurements.size(); ++k) measurements[k].samples.push_back(readings.at(k).value);
  }
  for (Measurement& each : measurements) add(std::move(each));
}

void Recorder::add_stages(const std::vector<SpanRecord>& records,
                          const std::function<std::string(const SpanRecord&)>& lane_of) {
  const auto ms = [](std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); };
  for (const SpanRecord& record : records) {
    Stage stage{record.name, lane_of(record), std::nullopt, ms(record.start), ms(record.duration)};
    if (record.item) stage.item = *record.item;
    result_.stages.push_back(std::move(stage));
  }
}

}  // namespace cuzk::measure
