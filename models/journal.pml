/* The protocol of the queue and its journal, with the process killed between any two steps.
 *
 * accept -> journal -> acknowledge; run -> journal the result -> tell it; fetch -> forget (src/engine/engine_journal.cpp,
 * src/engine/journal/). What is on the disk outlives a crash, what is in memory and in the writer's queue does not. A
 * client that has no acknowledgement when the connection breaks submits the same request again.
 *
 * What must hold:
 *   - a job that was acknowledged is known until its result was fetched (lost: assertion in poll);
 *   - of one job one result is told, whatever ran again (twice: assertion in tell);
 *   - a job's acceptance and its end are each written once (assertions in commit);
 *   - when nothing more can happen every client has its result (assertion in Judge).
 * Not in the model: a disk that refuses (then a result is told all the same, and the log says so), and retention that
 * forgets results which nobody fetched for a day.
 *
 * Each of the following definitions moves or drops one step; the model must then fail (tests/models):
 *   ACK_FIRST    acknowledges before the acceptance is on the disk
 *   TELL_FIRST   tells a result before it is on the disk
 *   FORGET_FIRST forgets a result before it was fetched
 *   NO_JOIN      a request that comes again makes another job
 *   NO_REPLAY    what had not ended is not run again after a crash
 */
#ifndef JOBS
#define JOBS 2
#endif
#ifndef CRASHES
#define CRASHES 2
#endif

mtype:disk = { absent, accepted, ended };
mtype:memory = { unknown, running, writing_end, settled };
mtype:client = { idle, waiting, acknowledged, served };
mtype:change = { acceptance, end, forgetting };

/* The disk. */
mtype:disk row[JOBS] = absent;
byte row_result[JOBS];

/* The process. Results are numbers: the second run of a job makes another proof. */
mtype:memory memory[JOBS] = unknown;
bool durable[JOBS];
byte memory_result[JOBS];
chan writes = [4 * JOBS] of { mtype:change, byte, byte };   /* given to the writer, not yet on the disk */
chan calls = [4 * JOBS] of { mtype:change, byte, byte };    /* on the disk, not yet told to the engine */

/* Outside. */
mtype:client client[JOBS] = idle;
byte told[JOBS];   /* the result that anybody could see, 0 before */
byte runs[JOBS];
byte crashes;

inline tell(job, result) {
  assert(told[job] == 0 || told[job] == result);
  told[job] = result;
}

inline settle(job, result) {
  memory[job] = settled;
  memory_result[job] = result;
  tell(job, result)
}

/* A client and its job. Joining: the same request id and input are the same job. */
proctype Client(byte job) {
  do
  :: atomic { client[job] == idle ->
       client[job] = waiting;
       if
       :: memory[job] == unknown ->
            memory[job] = running;
            durable[job] = false;
            writes!acceptance, job, 0
#ifdef NO_JOIN
       :: memory[job] != unknown -> writes!acceptance, job, 0
#else
       :: memory[job] != unknown && durable[job] -> client[job] = acknowledged
       :: memory[job] != unknown && !durable[job] -> skip
#endif
       fi
#ifdef ACK_FIRST
       ; client[job] = acknowledged
#endif
     }
  :: atomic { client[job] == acknowledged && memory[job] != running && memory[job] != writing_end ->
       assert(memory[job] == settled);   /* else: the job that was acknowledged is lost */
       client[job] = served
     }
  :: client[job] == served -> break
  od
}

/* A lane: it ends a job, and the result goes to the journal first. */
active proctype Lanes() {
  byte job;
  do
  :: atomic {
       if
       :: memory[0] == running -> job = 0
#if JOBS > 1
       :: memory[1] == running -> job = 1
#endif
       fi;
       runs[job]++;
       memory[job] = writing_end;
       writes!end, job, runs[job];
#ifdef TELL_FIRST
       settle(job, runs[job])
#endif
     }
  od
}

/* The journal's thread: changes in the order in which they came, each whole or not at all. */
active proctype Writer() {
  mtype:change kind;
  byte job, result;
  do
  :: atomic { writes?kind, job, result ->
       if
       :: kind == acceptance -> assert(row[job] == absent); row[job] = accepted
       :: kind == end -> assert(row[job] == accepted); row[job] = ended; row_result[job] = result
       :: kind == forgetting -> row[job] = absent; row_result[job] = 0
       fi;
       calls!kind, job, result
     }
  od
}

/* What the journal calls when a change is on the disk. */
active proctype Callbacks() {
  mtype:change kind;
  byte job, result;
  do
  :: atomic { calls?kind, job, result ->
       if
       :: kind == acceptance ->
            durable[job] = true;
            if
            :: client[job] == waiting -> client[job] = acknowledged
            :: else -> skip
            fi
       :: kind == end ->
#ifndef TELL_FIRST
            settle(job, result)
#else
            skip
#endif
       :: kind == forgetting -> skip
       fi
     }
  od
}

active proctype Retention() {
  byte job;
  do
  :: atomic {
       if
#ifdef FORGET_FIRST
       :: memory[0] == settled -> job = 0
#else
       :: memory[0] == settled && client[0] == served -> job = 0
#endif
#if JOBS > 1
       :: memory[1] == settled && client[1] == served -> job = 1
#endif
       fi;
       memory[job] = unknown;
       writes!forgetting, job, 0
     }
  od
}

inline recover(job) {
  durable[job] = (row[job] != absent);
  memory_result[job] = 0;
  if
  :: row[job] == absent -> memory[job] = unknown
#ifdef NO_REPLAY
  :: row[job] == accepted -> memory[job] = unknown
#else
  :: row[job] == accepted -> memory[job] = running
#endif
  :: row[job] == ended -> settle(job, row_result[job])
  fi;
  if
  :: client[job] == waiting -> client[job] = idle
  :: else -> skip
  fi
}

/* kill -9 and the start after it. Connections break; who was acknowledged asks for its job again. */
active proctype Power() {
  byte job;
  do
  :: atomic { crashes < CRASHES ->
       crashes++;
       do
       :: nempty(writes) -> writes?_, _, _
       :: nempty(calls) -> calls?_, _, _
       :: empty(writes) && empty(calls) -> break
       od;
       for (job : 0 .. JOBS - 1) { recover(job) }
     }
  od
}

active proctype Judge() {
  byte job;
  timeout ->
  for (job : 0 .. JOBS - 1) { assert(client[job] == served) }
}

init {
  atomic {
    byte job;
    for (job : 0 .. JOBS - 1) { run Client(job) }
  }
}
