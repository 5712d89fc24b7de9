#include "measure/result_json.h"

#include <simdjson.h>

#include "base/error.h"
#include "common/files.h"
#include "measure/json_fields.h"

namespace cuzk::measure {
namespace {

using simdjson::dom::element;

constexpr std::size_t kLargestResult = std::size_t{256} << 20;

JsonFields summary_json(std::span<const double> samples) {
  const Summary s = summary_of(samples);
  JsonFields object;
  object.add("count", s.count).add("median", s.median).add("p50", s.median).add("p90", s.p90).add("p99", s.p99);
  return object.add("min", s.least).add("max", s.most).add("spread", s.spread);
}

JsonFields comparison_json(const Comparison& comparison) {
  JsonFields object;
  object.add("ratio", comparison.ratio).add("low", comparison.low).add("high", comparison.high);
  object.add("verdict", name_of(comparison.verdict)).add("samples", comparison.have);
  return object.add("needed", comparison.needed).add("text", text_of(comparison));
}

JsonFields baseline_json(const Baseline& baseline) {
  JsonFields object;
  object.add("of", baseline.of).add("in_turn", baseline.taken == Baseline::Taken::in_turn);
  return object.add("summary", summary_json(baseline.samples)).add("samples", baseline.samples);
}

JsonFields measurement_json(const Measurement& each, std::size_t comparisons) {
  JsonFields object;
  object.add("name", each.name).add("unit", each.unit).add("better", each.better == Better::less ? "less" : "more");
  if (each.size) object.add("size", *each.size).add("size_of", each.size_of);
  object.add("summary", summary_json(each.samples)).add("samples", each.samples);
  if (const auto comparison = each.comparison(comparisons))
    object.add("baseline", baseline_json(*each.baseline)).add("comparison", comparison_json(*comparison));
  return object;
}

JsonFields stage_json(const Stage& stage) {
  JsonFields object;
  object.add("name", stage.name).add("lane", stage.lane).add("start_ms", stage.start_ms).add("ms", stage.ms);
  if (stage.item) object.add("item", *stage.item);
  return object;
}

JsonFields series_json(const Series& series) {
  return JsonFields().add("name", series.name).add("unit", series.unit).add("points", series.points);
}

template <class T, class To>
std::vector<JsonFields> each_json(const std::vector<T>& values, To&& to) {
  std::vector<JsonFields> objects;
  objects.reserve(values.size());
  for (const T& value : values) objects.push_back(to(value));
  return objects;
}

// --- reading

[[noreturn]] void missing(std::string_view field, const char* expected) {
  throw invalid_input("{}: expected {}", field, expected);
}

template <class T>
T get(const element& object, const char* field, const char* expected) {
  T value{};
  if (object[field].get(value) != simdjson::SUCCESS) missing(field, expected);
  return value;
}

std::string text_field(const element& object, const char* field) {
  return std::string(get<std::string_view>(object, field, "a string"));
}
double number_field(const element& object, const char* field) { return get<double>(object, field, "a number"); }
simdjson::dom::array list_field(const element& object, const char* field) {
  return get<simdjson::dom::array>(object, field, "a list");
}

std::vector<double> numbers_field(const element& object, const char* field) {
  std::vector<double> values;
  for (const element each : list_field(object, field)) {
    double value = 0;
    if (each.get(value) != simdjson::SUCCESS) missing(field, "numbers");
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> strings_field(const element& object, const char* field) {
  std::vector<std::string> values;
  for (const element each : list_field(object, field)) {
    std::string_view value;
    if (each.get(value) != simdjson::SUCCESS) missing(field, "strings");
    values.emplace_back(value);
  }
  return values;
}

bool has(const element& object, const char* field) { return object[field].error() == simdjson::SUCCESS; }

Baseline read_baseline(const element& object) {
  const bool in_turn = get<bool>(object, "in_turn", "true or false");
  return {text_field(object, "of"), in_turn ? Baseline::Taken::in_turn : Baseline::Taken::before,
          numbers_field(object, "samples")};
}

Measurement read_measurement(const element& object) {
  const std::string better = text_field(object, "better");
  if (better != "less" && better != "more") missing("better", "less or more");
  Measurement each{.name = text_field(object, "name"),
                   .unit = text_field(object, "unit"),
                   .better = better == "less" ? Better::less : Better::more,
                   .size = std::nullopt,
                   .samples = numbers_field(object, "samples"),
                   .baseline = std::nullopt};
  if (has(object, "size")) {
    each.size = number_field(object, "size");
    each.size_of = text_field(object, "size_of");
  }
  if (has(object, "baseline")) each.baseline = read_baseline(object["baseline"].value());
  return each;
}

Stage read_stage(const element& object) {
  Stage stage{text_field(object, "name"), text_field(object, "lane"), std::nullopt, number_field(object, "start_ms"),
              number_field(object, "ms")};
  if (has(object, "item")) stage.item = static_cast<unsigned>(get<u64>(object, "item", "a whole number"));
  return stage;
}

Series read_series(const element& object) {
  Series series{text_field(object, "name"), text_field(object, "unit"), {}};
  for (const element point : list_field(object, "points")) {
    double at = 0, value = 0;
    if (point.at(0).get(at) != simdjson::SUCCESS || point.at(1).get(value) != simdjson::SUCCESS)
      missing("points", "pairs of numbers");
    series.points.emplace_back(at, value);
  }
  return series;
}

std::vector<std::pair<std::string, std::string>> read_environment(const element& object) {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const auto [name, value] : get<simdjson::dom::object>(object, "environment", "an object")) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) missing("environment", "strings");
    environment.emplace_back(name, text);
  }
  return environment;
}

Result read(const element& object) {
  if (const auto schema = text_field(object, "schema"); schema != kSchema)
    throw invalid_input("schema: it is '{}', expected '{}'", schema, kSchema);
  Result result{.command = text_field(object, "command"),
                .arguments = strings_field(object, "arguments"),
                .begun = text_field(object, "begun"),
                .environment = read_environment(object),
                .without = strings_field(object, "without"),
                .warmup = static_cast<unsigned>(get<u64>(object, "warmup", "a whole number")),
                .measurements = {},
                .stages = {},
                .series = {},
                .figures = {}};
  for (const element each : list_field(object, "measurements")) result.measurements.push_back(read_measurement(each));
  for (const element each : list_field(object, "stages")) result.stages.push_back(read_stage(each));
  for (const element each : list_field(object, "series")) result.series.push_back(read_series(each));
  return result;
}

}  // namespace

std::string to_json(const Result& result) {
  JsonFields object(result.figures), environment;
  for (const auto& [name, value] : result.environment) environment.add(name, value);
  object.add("schema", kSchema).add("command", result.command).add("arguments", result.arguments);
  object.add("begun", result.begun).add("environment", environment).add("without", result.without);
  object.add("warmup", result.warmup);
  const std::size_t comparisons = result.comparisons();
  object.add("measurements",
             each_json(result.measurements, [&](const Measurement& m) { return measurement_json(m, comparisons); }));
  object.add("stages", each_json(result.stages, stage_json));
  return object.add("series", each_json(result.series, series_json)).text();
}

std::vector<Result> results_from_json(std::string_view text) {
  simdjson::dom::parser parser;
  element root;
  if (const auto error = parser.parse(simdjson::padded_string(text)).get(root); error != simdjson::SUCCESS)
    throw invalid_input("no JSON: {}", simdjson::error_message(error));
  simdjson::dom::array list;
  if (root.get(list) != simdjson::SUCCESS) return {read(root)};
  std::vector<Result> results;
  for (const element each : list) results.push_back(read(each));
  return results;
}

Result result_from_json(std::string_view text) {
  auto results = results_from_json(text);
  if (results.size() != 1) throw invalid_input("{} results, expected one", results.size());
  return std::move(results.front());
}

std::vector<Result> read_results(const std::string& path) try {
  return results_from_json(apps::read_file(path, kLargestResult));
} catch (const Error& error) {
  const std::string message = error.what();
  throw Error(error.code(), message.starts_with(path) ? message : path + ": " + message);
}

Result read_result(const std::string& path) {
  auto results = read_results(path);
  if (results.size() != 1) throw invalid_input("{}: {} results, expected one", path, results.size());
  return std::move(results.front());
}

}  // namespace cuzk::measure
