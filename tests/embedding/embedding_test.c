/* libcuzk as a C program has it: a real WinningPoSt, and everything that can go wrong.
 *
 * Usage: embedding_test KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF
 * Reads one vanilla proof (bincode) from the file VANILLA; RANDOMNESS in hex. Writes the proof to the file PROOF. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuzk.h"

static int failures = 0;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                               \
    }                                                                           \
  } while (0)

/* Ends the test where a function failed that must not. */
static void must(cuzk_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "error %d: %s\n", cuzk_error_code(error), cuzk_error_message(error));
  exit(1);
}

static void expect_error(int line, cuzk_error* error, cuzk_code code, const char* text) {
  if (cuzk_error_code(error) != code || strstr(cuzk_error_message(error), text) == NULL) {
    fprintf(stderr, "line %d: error %d '%s', expected %d with '%s'\n", line, cuzk_error_code(error),
            cuzk_error_message(error), code, text);
    ++failures;
  }
  cuzk_error_destroy(error);
}
#define EXPECT_ERROR(error, code, text) expect_error(__LINE__, error, code, text)

static uint8_t* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  uint8_t* bytes = malloc(1 << 20);
  if (file == NULL || bytes == NULL) exit(2);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

static void write_file(const char* path, const uint8_t* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) exit(2);
}

static void read_hex(const char* text, uint8_t* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    unsigned value = 0;
    if (sscanf(text + 2 * i, "%2x", &value) != 1) exit(2);
    bytes[i] = (uint8_t)value;
  }
}

static cuzk_engine* create(const char* config) {
  cuzk_engine* engine = NULL;
  must(cuzk_engine_create(config, strlen(config), &engine));
  return engine;
}

static cuzk_job* submit(cuzk_engine* engine, cuzk_request request, const char* id) {
  cuzk_job* job = NULL;
  request.request_id = id;
  must(cuzk_submit(engine, &request, &job));
  CHECK(strlen(cuzk_job_id(job)) == 32);
  return job;
}

static cuzk_result* wait_for(cuzk_job* job) {
  cuzk_result* result = NULL;
  must(cuzk_job_wait(job, CUZK_FOREVER, NULL, NULL, &result));
  return result;
}

static void configurations_are_checked(void) {
  cuzk_engine* engine = (cuzk_engine*)&failures; /* a failed call stores NULL */
  const char* wrong = "[srs]\nparam_cash = \"x\"\n";
  EXPECT_ERROR(cuzk_engine_create(wrong, strlen(wrong), &engine), CUZK_INVALID_INPUT,
               "configuration, line 2: there is no key srs.param_cash, did you mean srs.param_cache?");
  CHECK(engine == NULL);
  EXPECT_ERROR(cuzk_engine_create(NULL, 5, &engine), CUZK_INVALID_INPUT, "config is NULL");
  EXPECT_ERROR(cuzk_engine_create(NULL, 0, NULL), CUZK_INVALID_INPUT, "engine is NULL");
}

static void requests_are_checked(cuzk_engine* engine, cuzk_request request) {
  cuzk_job* job = NULL;
  cuzk_request wrong = request;
  wrong.struct_size = 8;
  EXPECT_ERROR(cuzk_submit(engine, &wrong, &job), CUZK_INVALID_INPUT, "request.struct_size is 8");
  wrong = request;
  wrong.kind = 5;
  EXPECT_ERROR(cuzk_submit(engine, &wrong, &job), CUZK_INVALID_INPUT, "request.kind is 5, expected 1 to 4");
  wrong = request;
  wrong.priority = -1;
  EXPECT_ERROR(cuzk_submit(engine, &wrong, &job), CUZK_INVALID_INPUT, "request.priority is -1");
  wrong = request;
  wrong.vanilla_proofs = NULL;
  EXPECT_ERROR(cuzk_submit(engine, &wrong, &job), CUZK_INVALID_INPUT, "request.vanilla_proofs is NULL");
  wrong = request;
  wrong.randomness.data = NULL;
  EXPECT_ERROR(cuzk_submit(engine, &wrong, &job), CUZK_INVALID_INPUT, "request.randomness: data is NULL");
  EXPECT_ERROR(cuzk_submit(engine, NULL, &job), CUZK_INVALID_INPUT, "request is NULL");
  EXPECT_ERROR(cuzk_submit(NULL, &request, &job), CUZK_INVALID_INPUT, "engine is NULL");
  CHECK(job == NULL);
  EXPECT_ERROR(cuzk_job_find(engine, "0123", &job), CUZK_NOT_FOUND, "0123");
  EXPECT_ERROR(cuzk_job_cancel(NULL), CUZK_INVALID_INPUT, "job is NULL");
}

struct heard {
  int calls;
  cuzk_state last;
};

static int32_t listen(const cuzk_progress* progress, void* context) {
  struct heard* heard = context;
  ++heard->calls;
  heard->last = progress->state;
  CHECK(progress->percent >= 0 && progress->percent <= 100);
  CHECK(progress->stage != NULL);
  return 0;
}

static int32_t refuse(const cuzk_progress* progress, void* context) {
  (void)progress;
  (void)context;
  return 1;
}

static void a_proof_is_made_and_holds(cuzk_engine* engine, cuzk_request request, const char* path) {
  cuzk_job* job = submit(engine, request, "winpost-1000-00112233");
  cuzk_result* result = NULL;
  EXPECT_ERROR(cuzk_job_wait(job, CUZK_FOREVER, refuse, NULL, &result), CUZK_CANCELLED, "the job goes on");
  EXPECT_ERROR(cuzk_job_wait(job, 0, NULL, NULL, &result), CUZK_DEADLINE, "it goes on");
  CHECK(result == NULL);

  struct heard heard = {0, 0};
  must(cuzk_job_wait(job, CUZK_FOREVER, listen, &heard, &result));
  CHECK(heard.calls >= 2);
  CHECK(heard.last == CUZK_JOB_COMPLETED);
  CHECK(cuzk_result_state(result) == CUZK_JOB_COMPLETED);
  CHECK(cuzk_result_code(result) == 0);
  CHECK(strcmp(cuzk_result_message(result), "") == 0);
  CHECK(strstr(cuzk_result_timings(result), "\"gpu_compute_ms\":") != NULL);
  size_t size = 0;
  const uint8_t* proof = cuzk_result_proof(result, &size);
  CHECK(size == 192);
  write_file(path, proof, size);

  int32_t valid = 0;
  must(cuzk_verify(engine, &request, proof, size, &valid));
  CHECK(valid == 1);
  must(cuzk_verify(engine, &request, proof, size - 1, &valid));
  CHECK(valid == 0);
  cuzk_request other = request;
  const uint8_t randomness[32] = {1};
  other.randomness.data = randomness;
  cuzk_error* error = cuzk_verify(engine, &other, proof, size, &valid); /* its challenges are others */
  CHECK(error != NULL || valid == 0);
  cuzk_error_destroy(error);

  cuzk_job* same = submit(engine, request, "winpost-1000-00112233");
  CHECK(strcmp(cuzk_job_id(same), cuzk_job_id(job)) == 0);
  cuzk_job* found = NULL;
  must(cuzk_job_find(engine, cuzk_job_id(job), &found));
  char* json = NULL;
  size_t bytes = 0;
  must(cuzk_job_status(found, &json, &bytes));
  CHECK(strlen(json) == bytes);
  CHECK(strstr(json, "\"request_id\":\"winpost-1000-00112233\"") != NULL);
  CHECK(strstr(json, "\"state\":\"completed\"") != NULL);
  cuzk_text_destroy(json);
  must(cuzk_engine_status(engine, &json, NULL));
  CHECK(strstr(json, "\"total_completed\":1") != NULL);
  cuzk_text_destroy(json);
  cuzk_job_destroy(found);
  cuzk_job_destroy(same);
  cuzk_result_destroy(result);
  cuzk_job_destroy(job);
}

static void a_wrong_input_is_a_result(cuzk_engine* engine, cuzk_request request) {
  const uint8_t junk[] = {1, 2, 3};
  const cuzk_bytes proofs[] = {{junk, sizeof(junk)}};
  request.vanilla_proofs = proofs;
  cuzk_job* job = submit(engine, request, "junk");
  cuzk_result* result = wait_for(job);
  size_t size = 1;
  CHECK(cuzk_result_state(result) == CUZK_JOB_FAILED);
  CHECK(cuzk_result_code(result) == CUZK_INVALID_INPUT);
  CHECK(strlen(cuzk_result_message(result)) > 0);
  CHECK(cuzk_result_proof(result, &size) == NULL);
  CHECK(size == 0);
  cuzk_result_destroy(result);
  cuzk_job_destroy(job);
}

static void a_cancelled_job_ends(cuzk_engine* engine, cuzk_request request) {
  cuzk_job* job = submit(engine, request, "cancelled");
  must(cuzk_job_cancel(job));
  must(cuzk_job_cancel(job)); /* no error where it has ended */
  cuzk_result* result = wait_for(job);
  CHECK(cuzk_result_state(result) == CUZK_JOB_CANCELLED);
  cuzk_result_destroy(result);
  cuzk_job_destroy(job);
}

static void* wait_in_thread(void* job) {
  cuzk_result* result = NULL;
  cuzk_error* error = cuzk_job_wait(job, CUZK_FOREVER, NULL, NULL, &result);
  CHECK(error != NULL ? cuzk_error_code(error) == CUZK_UNAVAILABLE : cuzk_result_state(result) >= CUZK_JOB_COMPLETED);
  cuzk_error_destroy(error);
  cuzk_result_destroy(result);
  return NULL;
}

static void the_end_of_the_engine_ends_waiting(cuzk_engine* engine, cuzk_request request) {
  cuzk_job* job = submit(engine, request, "at the end");
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_in_thread, job) != 0) exit(2);
  cuzk_engine_destroy(engine);
  pthread_join(thread, NULL);
  EXPECT_ERROR(cuzk_job_cancel(job), CUZK_UNAVAILABLE, "the engine has ended");
  cuzk_job_destroy(job);
}

static void nothing_is_taken_for_null(void) {
  size_t size = 1;
  CHECK(cuzk_error_code(NULL) == 0 && strcmp(cuzk_error_message(NULL), "") == 0);
  CHECK(cuzk_job_id(NULL) == NULL && cuzk_result_state(NULL) == 0 && cuzk_result_proof(NULL, &size) == NULL);
  cuzk_error_destroy(NULL);
  cuzk_text_destroy(NULL);
  cuzk_job_destroy(NULL);
  cuzk_result_destroy(NULL);
  cuzk_engine_destroy(NULL);
}

int main(int argc, char** argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: %s KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF\n", argv[0]);
    return 2;
  }
  cuzk_bytes vanilla = {NULL, 0};
  vanilla.data = read_file(argv[2], &vanilla.size);
  uint8_t randomness[32];
  read_hex(argv[3], randomness, sizeof(randomness));

  cuzk_request request;
  memset(&request, 0, sizeof(request));
  request.struct_size = sizeof(request);
  request.kind = CUZK_WINNING_POST;
  request.sector_size = strtoull(argv[4], NULL, 10);
  request.registered_proof = strtoull(argv[5], NULL, 10);
  request.vanilla_proofs = &vanilla;
  request.vanilla_proof_count = 1;
  request.randomness.data = randomness;
  request.randomness.size = sizeof(randomness);

  CHECK(cuzk_abi_version() == CUZK_ABI_VERSION);
  CHECK(strlen(cuzk_version()) > 0);
  nothing_is_taken_for_null();
  configurations_are_checked();
  char config[4096];
  snprintf(config, sizeof(config), "[srs]\nparam_cache = \"%s\"\n[logging]\nlevel = \"off\"\n", argv[1]);
  cuzk_engine* engine = create(config);
  requests_are_checked(engine, request);
  a_proof_is_made_and_holds(engine, request, argv[6]);
  a_wrong_input_is_a_result(engine, request);
  a_cancelled_job_ends(engine, request);
  the_end_of_the_engine_ends_waiting(engine, request);
  free((void*)vanilla.data);
  return failures == 0 ? 0 : 1;
}
