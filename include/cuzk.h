/* cuzk in process: a program makes Filecoin's proofs itself, with the engine of the daemon and without one.
 *
 *     cuzk_engine *engine = NULL;
 *     cuzk_error *error = cuzk_engine_create(config, strlen(config), &engine);
 *     if (error == NULL) error = cuzk_submit(engine, &request, &job);
 *     if (error == NULL) error = cuzk_job_wait(job, CUZK_FOREVER, NULL, NULL, &result);
 *
 * examples/c/prove.c is a whole program; docs/embedding.md compares the ways to run cuzk.
 *
 * Errors. A function that can fail returns NULL when it did its work, else an error that the caller destroys. What a
 * failed function would have stored through its pointers is NULL (or 0) then. No exception leaves a function. That a proof
 * could not be made is no error of the function that waits for it: it is the job's result.
 *
 * Ownership. What a `..._create`, `..._submit`, `..._find`, `..._wait` or `..._status` function stores is the caller's, and
 * is given back to the `..._destroy` function of its type, once; these take NULL. What a getter returns belongs to the
 * object it was asked of, and ends with it. What is passed in is read during the call alone and copied.
 *
 * Threads. Every function may be called by any thread at any time, several on one object too, except that nothing may use
 * an object while or after it is destroyed. Jobs and results may outlive their engine. The library starts threads of its
 * own and installs no signal handlers. A process that was forked from one with an engine must not use it.
 *
 * Process. The log ([logging] of the configuration, "warn" by default) goes to standard error, as the engine that was
 * created last says. The library stays loaded once it is.
 *
 * ABI. Names, numbers and layouts of CUZK_ABI_VERSION do not change; new functions get a symbol version of their own, new
 * members stand at the end of their struct. The symbols are versioned (CUZK_1), nothing else is exported.
 */
#ifndef CUZK_H
#define CUZK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_API __attribute__((visibility("default")))
#define CUZK_FALLIBLE CUZK_API __attribute__((warn_unused_result))

#define CUZK_ABI_VERSION 1

/* Version of the library, such as "0.1.0"; of the process, never freed. */
CUZK_API const char *cuzk_version(void);

/* The CUZK_ABI_VERSION that the loaded library was built with. */
CUZK_API uint32_t cuzk_abi_version(void);

/* ---- Errors ---- */

typedef struct cuzk_error cuzk_error;

typedef int32_t cuzk_code;
enum {
  CUZK_INVALID_INPUT = 1,      /* the caller's data is wrong; the same call fails again */
  CUZK_NOT_FOUND = 2,          /* a file, job or circuit that does not exist */
  CUZK_RESOURCE_EXHAUSTED = 3, /* memory, queue or disk is full; may work later */
  CUZK_CANCELLED = 4,          /* the caller gave up */
  CUZK_DEADLINE = 5,           /* the time is over */
  CUZK_DEVICE_LOST = 6,        /* a device does not answer any more */
  CUZK_UNAVAILABLE = 7,        /* not possible in this state, such as after the engine's end */
  CUZK_INTERNAL = 8            /* a fault of the library */
};

/* One of the codes; 0 for NULL. */
CUZK_API cuzk_code cuzk_error_code(const cuzk_error *error);

/* For people: names the thing, what was found and what was expected. UTF-8, ends with 0; the error's. "" for NULL. */
CUZK_API const char *cuzk_error_message(const cuzk_error *error);

CUZK_API void cuzk_error_destroy(cuzk_error *error);

/* ---- Text that a function gives ---- */

/* Frees what cuzk_engine_status and cuzk_job_status stored. */
CUZK_API void cuzk_text_destroy(char *text);

/* ---- The engine ---- */

typedef struct cuzk_engine cuzk_engine;

/* Starts an engine. `config`: `config_bytes` bytes of TOML in UTF-8, need not end with 0; NULL with 0 for the defaults. It
 * has the keys of the daemon's file (packaging/cuzk.toml): [daemon] and [tls] are checked and have no effect; jobs.journal
 * is empty unless given, logging.level is "warn". Environment variables CUZK_... are not read, but for CUZK_CIRCUITS and
 * FIL_PROOFS_PARAMETER_CACHE, the default directories of compiled circuits and keys.
 *
 * The keys of srs.preload are loaded in the background. With a journal, jobs that an earlier process left are run; a
 * journal belongs to one engine at a time. Takes up to seconds where there is a GPU. */
CUZK_FALLIBLE cuzk_error *cuzk_engine_create(const char *config, size_t config_bytes, cuzk_engine **engine);

/* What the engine does, as one JSON object: the daemon's /status (docs/configuration.md). Stores the text, which ends with
 * 0, and its length without that 0; `json_bytes` may be NULL. The text is freed by cuzk_text_destroy. */
CUZK_FALLIBLE cuzk_error *cuzk_engine_status(cuzk_engine *engine, char **json, size_t *json_bytes);

/* Ends the engine: jobs that have not ended are cancelled (with a journal they run again at the next start), calls of
 * other threads that wait for jobs return first. Returns when memory, devices and threads are given back, within seconds.
 * Not to be called in a progress callback. */
CUZK_API void cuzk_engine_destroy(cuzk_engine *engine);

/* ---- Requests ---- */

typedef int32_t cuzk_kind;
enum {
  CUZK_POREP = 1,       /* vanilla_proof: the C1 JSON */
  CUZK_SNAP = 2,        /* vanilla_proofs: bincode, one for each partition */
  CUZK_WINDOW_POST = 3, /* vanilla_proofs: bincode, one for each sector */
  CUZK_WINNING_POST = 4
};

typedef int32_t cuzk_priority;
enum {
  CUZK_PRIORITY_DEFAULT = 0, /* WinningPoSt critical, WindowPoSt high, the others normal */
  CUZK_PRIORITY_LOW = 1,
  CUZK_PRIORITY_NORMAL = 2,
  CUZK_PRIORITY_HIGH = 3,
  CUZK_PRIORITY_CRITICAL = 4
};

/* `size` bytes at `data`, which may be NULL where size is 0. */
typedef struct cuzk_bytes {
  const uint8_t *data;
  size_t size;
} cuzk_bytes;

/* What is to be proved: the fields of the daemon's SubmitProofRequest. Set all of it to 0 first, then struct_size. */
typedef struct cuzk_request {
  size_t struct_size;     /* sizeof(cuzk_request) */
  const char *request_id; /* the caller's, UTF-8 that ends with 0; need not be unique; NULL: "" */
  cuzk_kind kind;
  cuzk_priority priority;
  uint64_t sector_size;             /* bytes; 0: the input says it */
  uint64_t registered_proof;        /* Filecoin's number of the proof type */
  cuzk_bytes vanilla_proof;         /* PoRep */
  const cuzk_bytes *vanilla_proofs; /* the others: `vanilla_proof_count` of them */
  size_t vanilla_proof_count;
  uint64_t sector_number;
  uint64_t miner_id;
  cuzk_bytes randomness; /* PoSt: 32 bytes */
  uint32_t partition_index;
  uint32_t reserved;     /* 0 */
  cuzk_bytes comm_r_old; /* SnapDeals: 32 bytes each */
  cuzk_bytes comm_r_new;
  cuzk_bytes comm_d_new;
  uint64_t deadline_ms; /* from now: after it nobody wants the proof; 0: no deadline */
} cuzk_request;

/* ---- Jobs ---- */

typedef struct cuzk_job cuzk_job;
typedef struct cuzk_result cuzk_result;

/* Takes a request into the queue and returns at once; with a journal, when it is on the disk. The same request_id with the
 * same input joins the job that waits, runs or is completed; the same request_id with another input is another job.
 * Errors: CUZK_RESOURCE_EXHAUSTED (the queue is full), CUZK_INVALID_INPUT. What is wrong within the input is the job's
 * result. */
CUZK_FALLIBLE cuzk_error *cuzk_submit(cuzk_engine *engine, const cuzk_request *request, cuzk_job **job);

/* The job with an id that cuzk_job_id gave, also to an earlier process where there is a journal. CUZK_NOT_FOUND. */
CUZK_FALLIBLE cuzk_error *cuzk_job_find(cuzk_engine *engine, const char *job_id, cuzk_job **job);

/* 32 hexadecimal digits, ends with 0; the job's. NULL for NULL. */
CUZK_API const char *cuzk_job_id(const cuzk_job *job);

typedef int32_t cuzk_state;
enum {
  CUZK_JOB_QUEUED = 1,
  CUZK_JOB_RUNNING = 2,
  CUZK_JOB_COMPLETED = 3, /* this one and those that follow are final */
  CUZK_JOB_FAILED = 4,
  CUZK_JOB_CANCELLED = 5,  /* by cuzk_job_cancel or the engine's end */
  CUZK_JOB_TIMED_OUT = 6 /* its deadline passed */
};

/* How far a job is. */
typedef struct cuzk_progress {
  cuzk_state state;
  uint32_t partitions_done;
  uint32_t partitions; /* 0: not known yet */
  uint32_t reserved;
  double percent;      /* of the whole job, 0 to 100 */
  const char *stage;   /* of a running job, for people; UTF-8, ends with 0 */
  uint64_t stage_done; /* of the stage, in its own units */
  uint64_t stage_total;
} cuzk_progress;

/* Called by the thread that waits, at once and then at changes, ten times a second at most. `progress` ends with the call;
 * `context` is what the waiting function was given. Returns 0 to go on waiting, anything else to end that. It may call any
 * function but cuzk_engine_destroy, and must not throw. */
typedef int32_t (*cuzk_progress_callback)(const cuzk_progress *progress, void *context);

#define CUZK_FOREVER UINT64_MAX

/* Waits until the job has ended and stores its result. `timeout_ms`: of waiting; 0 asks and does not wait, CUZK_FOREVER
 * sets no end. `progress` may be NULL. Errors: CUZK_DEADLINE (the time is over), CUZK_CANCELLED (the callback ended the
 * waiting): the job goes on after both; CUZK_UNAVAILABLE (the engine has ended), CUZK_NOT_FOUND (the job ended long ago
 * and is forgotten: [jobs] keep_...). */
CUZK_FALLIBLE cuzk_error *cuzk_job_wait(cuzk_job *job, uint64_t timeout_ms, cuzk_progress_callback progress,
                                        void *context, cuzk_result **result);

/* Ends a job, for everyone who submitted it: one that waits at once, one that runs soon. No error where it has ended. */
CUZK_FALLIBLE cuzk_error *cuzk_job_cancel(cuzk_job *job);

/* As one JSON object: job_id, request_id, proof_kind, state, stage, partitions_done, partitions, percent, queued_ms,
 * running_ms, error_message. The text as of cuzk_engine_status. */
CUZK_FALLIBLE cuzk_error *cuzk_job_status(cuzk_job *job, char **json, size_t *json_bytes);

/* Gives the handle back. The job goes on. */
CUZK_API void cuzk_job_destroy(cuzk_job *job);

/* ---- Results ---- */

/* A final state; 0 for NULL. */
CUZK_API cuzk_state cuzk_result_state(const cuzk_result *result);

/* CUZK_JOB_FAILED: what kind of fault; 0 otherwise. */
CUZK_API cuzk_code cuzk_result_code(const cuzk_result *result);

/* Why there is no proof: UTF-8, ends with 0; "" where there is one. The result's. */
CUZK_API const char *cuzk_result_message(const cuzk_result *result);

/* CUZK_JOB_COMPLETED: the proof, 192 bytes for each partition in order; it was verified. Stores its length; NULL and 0
 * otherwise. The bytes are the result's. `proof_bytes` must not be NULL. */
CUZK_API const uint8_t *cuzk_result_proof(const cuzk_result *result, size_t *proof_bytes);

/* One JSON object: queue_wait_ms, srs_load_ms, synthesis_ms, gpu_compute_ms, total_ms, and stages_ms with every stage that
 * was measured. Ends with 0; the result's. "" for NULL. */
CUZK_API const char *cuzk_result_timings(const cuzk_result *result);

CUZK_API void cuzk_result_destroy(cuzk_result *result);

/* ---- Verification ---- */

/* Whether `proof_bytes` bytes at `proof` are a proof of what `request` says, under the verifying key in the directory of
 * keys: stores 1 or 0. Errors are about the request and the key: CUZK_INVALID_INPUT, CUZK_NOT_FOUND. Takes milliseconds
 * to seconds in the calling thread: the request is read and checked first. */
CUZK_FALLIBLE cuzk_error *cuzk_verify(cuzk_engine *engine, const cuzk_request *request, const uint8_t *proof,
                                      size_t proof_bytes, int32_t *valid);

#ifdef __cplusplus
}
#endif

#endif
