#include "tune.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/json_object.h"
#include "base/random.h"
#include "cuda/arena.h"
#include "cuda/msm.h"
#include "cuda/point_progression.h"
#include "cuda/tuning.h"
#include "measure/measured.h"
#include "point_inputs.h"

namespace cuzk::apps {
namespace {

struct TuneOptions {
  measure::MeasureOptions measure{.samples = 5};
  int device = 0;
  unsigned from = 16, to = 24, around = 2;
};

/// Products with windows of one width, timed on the host: each waits for the device.
struct WidthTime {
  unsigned bits;
  double ms;  ///< the median
};

struct SizeTimes {
  unsigned log2_size, tuned_bits;
  std::vector<WidthTime> widths;

  WidthTime best() const { return *std::ranges::min_element(widths, {}, &WidthTime::ms); }
  double tuned_ms() const { return std::ranges::find(widths, tuned_bits, &WidthTime::bits)->ms; }
};

class Sweep {
 public:
  explicit Sweep(const TuneOptions& options)
      : options_(options),
        device_(device_of(options.device)),
        guard_(options.device),
        memory_(options.device),
        arena_(memory_, cuda::free_memory(options.device) / 10 * 9),
        queue_{device_, stream_, arena_} {}

  const cuda::DeviceProperties& device() const { return device_; }

  SizeTimes times(unsigned log2_size, measure::Recorder& recorder) {
    const std::size_t size = std::size_t{1} << log2_size;
    const auto points = cuda::point_progression<G1Curve>(queue_, G1Affine::generator(), point_step<G1Affine>(), size);
    const auto scalars = random_scalars(size);
    const cuda::MsmTuning tuned = cuda::msm_tuning(device_, size);
    SizeTimes times{log2_size, tuned.window_bits, {}};
    const unsigned least = std::max(tuned.window_bits, options_.around + 3) - options_.around;
    for (unsigned bits = least; bits <= std::min(tuned.window_bits + options_.around, 26U); ++bits) {
      const cuda::MsmTuning tuning{bits, tuned.windows_at_once};
      const auto product = [&] {
        cuda::multi_scalar_mul_tuned<G1Curve>(queue_, points.span().first(size), scalars.span(), tuning);
      };
      times.widths.push_back({bits, median_ms(fmt::format("windows of {} bits", bits), size, product, recorder)});
    }
    return times;
  }

 private:
  static cuda::DeviceProperties device_of(int ordinal) {
    for (const cuda::DeviceProperties& device : cuda::devices())
      if (device.ordinal == ordinal) return device;
    throw Error(Code::not_found, fmt::format("no GPU {}; {} found", ordinal, cuda::devices().size()));
  }

  /// All different, as a proof's are: 2^64 steps would pass before one comes again.
  cuda::DeviceBuffer<Fr> random_scalars(std::size_t size) {
    std::vector<Fr> scalars(size);
    const Fr step = random_fr();
    Fr scalar = random_fr();
    for (Fr& each : scalars) each = scalar *= step;
    return cuda::upload<Fr>(arena_, scalars, stream_);
  }

  static Fr random_fr() {
    auto bytes = random_bytes<Fr::kBytes>();
    bytes.back() &= 0x3f;  // below the modulus
    return *Fr::from_bytes(bytes);
  }

  /// Measures the product, which waits for the device.
  double median_ms(const std::string& name, std::size_t size, const std::function<void()>& product,
                   measure::Recorder& recorder) const {
    std::vector<double> times;
    const measure::Sample sample = [&] {
      times.push_back(measure::time_ms(product));
      return std::vector<measure::Reading>{{"", times.back()}};
    };
    recorder.measure({name, [&] { return sample; }, static_cast<double>(size), "scalars"});
    return measure::quantile(std::span(times).subspan(options_.measure.warmup), 0.5);
  }

  const TuneOptions& options_;
  cuda::DeviceProperties device_;
  cuda::DeviceGuard guard_;
  cuda::CudaMalloc memory_;
  cuda::Arena arena_;
  cuda::Stream stream_;
  cuda::Queue queue_;
};

std::string text_of(const SizeTimes& times) {
  std::string text = fmt::format("2^{:<4}", times.log2_size);
  for (const WidthTime& each : times.widths) text += fmt::format("{:>3}: {:<9.2f}", each.bits, each.ms);
  return text + fmt::format("best {}, in the table {} ({:.3f} of the best)", times.best().bits, times.tuned_bits,
                            times.tuned_ms() / times.best().ms);
}

JsonObject json_of(const SizeTimes& times) {
  JsonObject widths;
  for (const WidthTime& each : times.widths) widths.add(std::to_string(each.bits), each.ms);
  return JsonObject().add("log2_size", times.log2_size).add("table_bits", times.tuned_bits).add("ms_by_bits", widths);
}

void tune(const TuneOptions& options, measure::Recorder& recorder) {
  Sweep sweep(options);
  const cuda::Tuning& table = cuda::tuning_for(sweep.device());
  recorder.say(fmt::format("{}: the table of sm_{}, {}; ms by the bits of a window", sweep.device().name,
                           table.architecture,
                           table.origin == cuda::Tuning::Origin::measured ? "measured" : "derived"));
  std::vector<JsonObject> sizes;
  for (unsigned log2_size = options.from; log2_size <= options.to; ++log2_size) {
    const SizeTimes times = sweep.times(log2_size, recorder);
    recorder.say(text_of(times));
    sizes.push_back(json_of(times));
  }
  recorder.figures().add("device", sweep.device().name).add("sizes", sizes);
}

void run_tune(const TuneOptions& options) {
  if (options.from > options.to) throw invalid_input("--from {} is more than --to {}", options.from, options.to);
  measure::run_measured("tune", options.measure, [&](measure::Recorder& recorder) { tune(options, recorder); });
}

}  // namespace

void add_tune(CLI::App& program) {
  auto options = std::make_shared<TuneOptions>();
  auto* command =
      program.add_subcommand("tune", "Times products on a GPU with wider and narrower windows than its table's");
  command->add_option("--gpu", options->device, "CUDA's number of it")->capture_default_str();
  command->add_option("--from", options->from, "logarithm of the least size")
      ->check(CLI::Range(0, 27))
      ->capture_default_str();
  command->add_option("--to", options->to, "of the largest")->check(CLI::Range(0, 27))->capture_default_str();
  command->add_option("--around", options->around, "bits more and less")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  measure::add_measure_options(*command, options->measure);
  command->footer("Example: cuzk-bench tune --from 18 --to 24 --samples 7 --html tune.html");
  command->callback([options] { run_tune(*options); });
}

}  // namespace cuzk::apps
