/* A WinningPoSt in process, from a C program.
 *
 *     cc prove.c -lcuzk -o prove
 *     ./prove KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF
 *
 * KEYS: the directory of the .params and .vk files. VANILLA: a file with the sector's vanilla proof (bincode). RANDOMNESS:
 * 64 hexadecimal digits. SECTOR_SIZE: in bytes. REGISTERED_PROOF: Filecoin's number of the proof type. PROOF: the file that
 * gets the 192 bytes. */
#include <cuzk.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program where a function failed. */
static void check(cuzk_error *error) {
  if (error == NULL) return;
  fprintf(stderr, "prove: %s\n", cuzk_error_message(error));
  cuzk_error_destroy(error);
  exit(1);
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "prove: %s: %s\n", which, what);
  exit(1);
}

/* The bytes of a small file; the caller frees them. */
static cuzk_bytes read_file(const char *path) {
  enum { LIMIT = 1 << 24 };
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("cannot be read", path);
  uint8_t *data = malloc(LIMIT);
  if (data == NULL) fail("no memory for it", path);
  const cuzk_bytes bytes = {data, fread(data, 1, LIMIT, file)};
  fclose(file);
  return bytes;
}

static void read_hex(const char *text, uint8_t bytes[32]) {
  if (strlen(text) != 64) fail("expected 64 hexadecimal digits", text);
  for (int i = 0; i < 32; ++i) {
    if (sscanf(text + 2 * i, "%2" SCNx8, &bytes[i]) != 1) fail("expected hexadecimal digits", text);
  }
}

/* For people who wait; 0: go on. */
static int32_t show(const cuzk_progress *progress, void *context) {
  (void)context;
  if (progress->state == CUZK_JOB_RUNNING) printf("%s\n", progress->stage);
  return 0;
}

static void write_proof(const char *path, const cuzk_result *result) {
  size_t size = 0;
  const uint8_t *proof = cuzk_result_proof(result, &size);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(proof, 1, size, file) != size || fclose(file) != 0) fail("cannot be written", path);
  printf("%zu bytes; %s\n", size, cuzk_result_timings(result));
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: %s KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF\n", argv[0]);
    return 2;
  }
  char config[4096];
  snprintf(config, sizeof(config), "[srs]\nparam_cache = \"%s\"\n", argv[1]);
  const cuzk_bytes vanilla = read_file(argv[2]);
  uint8_t randomness[32];
  read_hex(argv[3], randomness);

  cuzk_request request;
  memset(&request, 0, sizeof(request));
  request.struct_size = sizeof(request);
  request.request_id = "an example";
  request.kind = CUZK_WINNING_POST;
  request.sector_size = strtoull(argv[4], NULL, 10);
  request.registered_proof = strtoull(argv[5], NULL, 10);
  request.vanilla_proofs = &vanilla;
  request.vanilla_proof_count = 1;
  request.randomness.data = randomness;
  request.randomness.size = sizeof(randomness);

  cuzk_engine *engine = NULL;
  cuzk_job *job = NULL;
  cuzk_result *result = NULL;
  check(cuzk_engine_create(config, strlen(config), &engine));
  check(cuzk_submit(engine, &request, &job));
  check(cuzk_job_wait(job, CUZK_FOREVER, show, NULL, &result));
  const int completed = cuzk_result_state(result) == CUZK_JOB_COMPLETED;
  if (completed) {
    write_proof(argv[6], result);
  } else {
    fprintf(stderr, "prove: no proof: %s\n", cuzk_result_message(result));
  }
  cuzk_result_destroy(result);
  cuzk_job_destroy(job);
  cuzk_engine_destroy(engine);
  free((void *)vanilla.data);
  return completed ? 0 : 1;
}
