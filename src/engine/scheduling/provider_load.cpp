#include "engine/scheduling/provider_load.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace cuzk::engine {

namespace {

using namespace std::chrono_literals;

constexpr u64 kMiB = u64{1} << 20, kGiB = u64{1} << 30;

Duration seconds(double value) { return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(value)); }

/// The times of a Poisson process with so many events an hour.
std::vector<Time> random_times(double an_hour, Duration length, std::mt19937_64& random) {
  std::vector<Time> times;
  if (an_hour <= 0) return times;
  // Not std::exponential_distribution: its values differ from library to library.
  const auto interval = [&] {
    const double unit = static_cast<double>((random() >> 11) + 1) / static_cast<double>(u64{1} << 53);
    return seconds(-std::log(unit) * 3600 / an_hour);
  };
  for (Time time = Time{} + interval(); time < Time{} + length; time += interval()) times.push_back(time);
  return times;
}

std::vector<Time> window_times(const ProviderRates& rates) {
  std::vector<Time> times;
  if (rates.windows_a_day <= 0) return times;
  const Duration interval = seconds(86'400 / rates.windows_a_day);
  for (Time time{}; time < Time{} + rates.length; time += interval)
    times.insert(times.end(), rates.window_partitions, time);
  return times;
}

void add(std::vector<Arrival>& arrivals, Kind kind, const KindProfile& profile, const std::vector<Time>& times) {
  for (const Time time : times) {
    JobSpec job;
    job.kind = kind;
    job.priority = default_priority(kind);
    job.circuit = profile.circuit;
    job.partitions = profile.partitions;
    job.deadline = time + profile.allowed;
    job.input_bytes = profile.input_bytes;
    job.memory = profile.memory;
    arrivals.push_back({time, std::move(job)});
  }
}

}  // namespace

ProviderProfile ProviderProfile::measured() {
  ProviderProfile profile;
  // host_job, host_partition, device_partition, key
  profile.of(Kind::porep) = {
      "porep-32g", 10, 93ms, 900ms, 30min, 51 * kMiB, {128 * kMiB, 768 * kMiB, 20 * kGiB, 47'373'928'632}};
  profile.of(Kind::snap) = {
      "snap-32g", 16, 50ms, 890ms, 30min, 16 * kMiB, {64 * kMiB, 768 * kMiB, 20 * kGiB, 33 * kGiB}};
  profile.of(Kind::window_post) = {
      "wpost-32g", 1, 900ms, 3400ms, 30min, 512 * kMiB, {kGiB, kGiB, 20 * kGiB, 57 * kGiB}};
  profile.of(Kind::winning_post) = {"winning-32g", 1, 10ms, 60ms, 20s, kMiB, {8 * kMiB, 64 * kMiB, kGiB, 184 * kMiB}};
  return profile;
}

std::vector<Arrival> provider_load(const ProviderRates& rates, const ProviderProfile& profile) {
  std::mt19937_64 random(rates.seed);
  std::vector<Arrival> arrivals;
  const auto add_random = [&](Kind kind, double an_hour) {
    add(arrivals, kind, profile.of(kind), random_times(an_hour, rates.length, random));
  };
  add_random(Kind::porep, rates.sectors_an_hour);
  add_random(Kind::snap, rates.snaps_an_hour);
  add_random(Kind::winning_post, rates.winnings_an_hour);
  add(arrivals, Kind::window_post, profile.of(Kind::window_post), window_times(rates));
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  for (std::size_t i = 0; i < arrivals.size(); ++i) arrivals[i].job.ticket = i + 1;
  return arrivals;
}

}  // namespace cuzk::engine
