// The functions of include/cuzk.h: each turns handles and structs into what the engine takes, and exceptions into errors.
#include "cuzk.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "core.h"
#include "engine/proof_check.h"
#include "fallible.h"
#include "groth16/verifier.h"
#include "job_waiting.h"
#include "request.h"
#include "server/status_json.h"

using namespace cuzk;

struct cuzk_engine {
  std::shared_ptr<lib::Core> core;
};

struct cuzk_job {
  std::shared_ptr<lib::Core> core;
  engine::JobId id;
};

struct cuzk_result {
  engine::JobResult result;
  std::string timings;
};

namespace {

using lib::fallible;
using lib::given;

/// For callers, who free it by cuzk_text_destroy.
void store_text(const std::string& text, char*& out, size_t* bytes) {
  out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out == nullptr) throw std::bad_alloc();
  std::memcpy(out, text.c_str(), text.size() + 1);
  if (bytes != nullptr) *bytes = text.size();
}

/// Sets what will be stored to nothing, for the case that the function fails.
template <class T>
T& cleared(T* out, const char* name) {
  T& place = given(out, name);
  place = T{};
  return place;
}

}  // namespace

extern "C" {

const char* cuzk_version(void) { return CUZK_VERSION; }
uint32_t cuzk_abi_version(void) { return CUZK_ABI_VERSION; }

cuzk_code cuzk_error_code(const cuzk_error* error) { return error == nullptr ? 0 : error->code; }
const char* cuzk_error_message(const cuzk_error* error) { return error == nullptr ? "" : error->message.c_str(); }
void cuzk_error_destroy(cuzk_error* error) { lib::destroy(error); }

void cuzk_text_destroy(char* text) { std::free(text); }

cuzk_error* cuzk_engine_create(const char* config, size_t config_bytes, cuzk_engine** engine) {
  return fallible([&] {
    auto*& place = cleared(engine, "engine");
    if (config_bytes != 0) given(config, "config");
    place = new cuzk_engine{std::make_shared<lib::Core>(std::string_view(config, config_bytes))};
  });
}

cuzk_error* cuzk_engine_status(cuzk_engine* engine, char** json, size_t* json_bytes) {
  return fallible([&] {
    auto*& place = cleared(json, "json");
    if (json_bytes != nullptr) *json_bytes = 0;
    const auto text = given(engine, "engine").core->use([](lib::Works& works) {
      return server::status_json(server::status_view(works.engine(), works.keys()));
    });
    store_text(text, place, json_bytes);
  });
}

void cuzk_engine_destroy(cuzk_engine* engine) {
  if (engine == nullptr) return;
  lib::destroy(fallible([&] { engine->core->close(); }));
  delete engine;
}

cuzk_error* cuzk_submit(cuzk_engine* engine, const cuzk_request* request, cuzk_job** job) {
  return fallible([&] {
    auto*& place = cleared(job, "job");
    const auto& core = given(engine, "engine").core;
    auto id = lib::submit(*core, lib::read_request(given(request, "request")));
    place = new cuzk_job{core, std::move(id)};
  });
}

cuzk_error* cuzk_job_find(cuzk_engine* engine, const char* job_id, cuzk_job** job) {
  return fallible([&] {
    auto*& place = cleared(job, "job");
    const auto& core = given(engine, "engine").core;
    const std::string id = &given(job_id, "job_id");
    core->use([&](lib::Works& works) { works.engine().view(id); });
    place = new cuzk_job{core, id};
  });
}

const char* cuzk_job_id(const cuzk_job* job) { return job == nullptr ? nullptr : job->id.c_str(); }

cuzk_error* cuzk_job_wait(cuzk_job* job, uint64_t timeout_ms, cuzk_progress_callback progress, void* context,
                          cuzk_result** result) {
  return fallible([&] {
    auto*& place = cleared(result, "result");
    const cuzk_job& asked = given(job, "job");
    const auto ended = asked.core->use([&](lib::Works& works) {
      return lib::wait(works.engine(), asked.id, timeout_ms, {progress, context});
    });
    place = new cuzk_result{*ended, lib::timings_json(*ended)};
  });
}

cuzk_error* cuzk_job_cancel(cuzk_job* job) {
  return fallible([&] {
    const cuzk_job& asked = given(job, "job");
    asked.core->use([&](lib::Works& works) { works.engine().cancel(asked.id); });
  });
}

cuzk_error* cuzk_job_status(cuzk_job* job, char** json, size_t* json_bytes) {
  return fallible([&] {
    auto*& place = cleared(json, "json");
    if (json_bytes != nullptr) *json_bytes = 0;
    const cuzk_job& asked = given(job, "job");
    store_text(asked.core->use([&](lib::Works& works) { return lib::job_json(works.engine().view(asked.id)); }), place,
               json_bytes);
  });
}

void cuzk_job_destroy(cuzk_job* job) { delete job; }

cuzk_state cuzk_result_state(const cuzk_result* result) {
  return result == nullptr ? 0 : lib::state_of(result->result.state);
}

cuzk_code cuzk_result_code(const cuzk_result* result) {
  const bool has_failed = result != nullptr && result->result.state == engine::JobState::failed;
  return has_failed ? lib::code_of(result->result.code) : 0;
}

const char* cuzk_result_message(const cuzk_result* result) {
  return result == nullptr ? "" : result->result.message.c_str();
}

const uint8_t* cuzk_result_proof(const cuzk_result* result, size_t* proof_bytes) {
  *proof_bytes = result == nullptr ? 0 : result->result.proof.size();
  return *proof_bytes == 0 ? nullptr : result->result.proof.data();
}

const char* cuzk_result_timings(const cuzk_result* result) { return result == nullptr ? "" : result->timings.c_str(); }

void cuzk_result_destroy(cuzk_result* result) { delete result; }

cuzk_error* cuzk_verify(cuzk_engine* engine, const cuzk_request* request, const uint8_t* proof, size_t proof_bytes,
                        int32_t* valid) {
  return fallible([&] {
    auto& place = cleared(valid, "valid");
    if (proof_bytes != 0) given(proof, "proof");
    const auto asked = lib::read_request(given(request, "request"));
    given(engine, "engine").core->use([&](lib::Works& works) {
      const auto statement = works.decoder().decode(asked.input);
      const groth16::Verifier verifier(works.keys().verifying_key(statement->circuit_id()));
      place = engine::proof_fault(*statement, verifier, {proof, proof_bytes}) ? 0 : 1;
    });
  });
}

}  // extern "C"
