#include "server/http_status.h"

#include "base/error.h"
#include "base/json_object.h"
#include "base/spans.h"
#include "server/status_json.h"

namespace cuzk::server {

namespace {

using engine::Kind;

HttpAnswer json(const JsonObject& object, int status = 200) {
  return {status, "application/json", object.text() + "\n"};
}

/// "/readyz" asks for all kinds together, "/readyz/window-post" for one.
HttpAnswer readiness(const StatusSources& sources, std::string_view path) {
  const std::string_view asked = path.size() > 8 ? path.substr(8) : "";
  const bool drains = sources.engine.snapshot().mode != engine::Mode::accepting;
  const auto farm = sources.farm != nullptr ? std::optional(sources.farm->health()) : std::nullopt;
  const bool accepts = !drains && (!farm || farm->is_connected);
  bool known = asked.empty(), ready = accepts;
  JsonObject kinds;
  for (const Kind kind : engine::kKinds) {
    const bool kind_ready = accepts && sources.decoder.offers(kind);
    kinds.add(name(kind), kind_ready);
    if (name(kind) != asked) continue;
    known = true;
    ready = kind_ready;
  }
  if (!known) return {404, "text/plain", fmt::format("there is no kind '{}'\n", asked)};
  JsonObject object;
  object.add("live", true).add("ready", ready).add("draining", drains).add("kinds", kinds);
  if (farm) object.add("farm", farm_object(*farm));
  return json(object, ready ? 200 : 503);
}

StatusView view_of(const StatusSources& sources) {
  auto view = status_view(sources.engine, sources.keys);
  if (sources.farm != nullptr) view.farm = sources.farm->health();
  return view;
}

/// "/trace/JOB"
HttpAnswer trace_of(const engine::Engine& engine, std::string_view path) {
  try {
    return {200, "application/json", chrome_trace_json(engine.trace(std::string(path.substr(7))))};
  } catch (const Error& error) {
    if (error.code() != Code::not_found) throw;
    return {404, "text/plain", fmt::format("{}\n", error.what())};
  }
}

}  // namespace

std::vector<HttpRoute> status_routes(const StatusSources& sources) {
  return {
      {"/status.*",
       [sources](std::string_view) -> HttpAnswer {
         return {200, "application/json", status_json(view_of(sources)) + "\n"};
       }},
      {"/metrics",
       [sources](std::string_view) -> HttpAnswer {
         return {200, "text/plain; version=0.0.4; charset=utf-8", sources.metrics.text(sources.engine.snapshot())};
       }},
      {"/trace/[^/]+", [sources](std::string_view path) { return trace_of(sources.engine, path); }},
      {"/healthz", [](std::string_view) -> HttpAnswer { return json(JsonObject().add("live", true)); }},
      {"/readyz(/[a-z0-9-]+)?", [sources](std::string_view path) { return readiness(sources, path); }},
  };
}

}  // namespace cuzk::server
