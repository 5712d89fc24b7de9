/* A job whose partitions are shared by machines of a farm: one row for the job, one for each part, and the trigger that
 * keeps them in step (cuzk.share, cuzk.after_change, cuzk.end_parts, cuzk.sweep of src/farm/schema.cpp).
 *
 * farm.pml has the leases, each step of which is one transaction of one row. Here a transaction touches several rows: it
 * locks them one after the other, others see what it changed once it has committed, and between two locks anybody may go
 * on. Whoever holds a part's row waits for the job's; whoever holds the job's row waits for no part's.
 *
 * What must hold:
 *   - the job ends once, and completed only with the proof of every part (assertions in end_job and commit);
 *   - a wrong input is told by a machine that looked at the whole (assertion in end_job);
 *   - nobody waits for ever, what was accepted ends, and of a job that has ended no part waits or runs (Judge).
 * Each of the following definitions drops one guard; the model must then fail (tests/models):
 *   WAIT_FOR_PARTS  who ends a job waits for the rows of parts that others are changing
 *   NO_JOB_LOCK     who ends a part looks at the others without the job's row
 *   NO_STATE        who ends a part does not look whether the job is still shared
 *   NO_SWEEP        nobody looks for the dead, and for parts of jobs that have ended
 *   WRONG_IS_FINAL  a part that calls the input wrong ends the job
 */
#define PARTS 2
#ifndef MACHINES
#define MACHINES 2    /* or 3 */
#endif
#ifndef FAULTS
#define FAULTS 2      /* deaths and false alarms together */
#endif
#define NOBODY 255
#define CANCELS 200   /* the transactions of who cancels, and of who tidies up */
#define TIDIES 201

mtype:state = { none, queued, leased, shared, completed, failed, cancelled };

/* The database, as it is committed. */
mtype:state job = queued;
byte job_lock = NOBODY;
bool may_share = true;          /* partitions > 1 */
typedef Part {
  mtype:state state;
  byte lock;
  byte number;                  /* of the last lease */
  mtype:state next              /* uncommitted: of who has the lock */
}
Part part[PARTS];

/* Each machine's memory: the part, or the job, that it believes to have a lease of. */
typedef Memory {
  byte mine;                    /* of parts; PARTS is the job, NOBODY nothing */
  byte number
}
Memory machine[MACHINES];

bool wrong;                     /* the input, of which only a proof finds out */
bool wants_cancel;
bool by_parts;                   /* ghost: it was the parts that ended the job */
byte faults;
byte job_number;

#define IS_END(s) (s == completed || s == failed || s == cancelled)
#define UNENDED(s) (s == queued || s == leased)
#define MAY_ACT(p, n) (UNENDED(part[p].state) && part[p].number == n)
#define HAS(m, p, n) (machine[m].mine == p && machine[m].number == n)
#define IS_HELD(p, n) (HAS(0, p, n) || HAS(1, p, n) || HAS(MACHINES - 1, p, n))
#ifdef NO_STATE
#define IS_SHARED(s) (true)
#else
#define IS_SHARED(s) (s == shared)
#endif

inline end_job(new_state, whole_was_seen) {
  assert(!IS_END(job));
  assert(new_state != failed || whole_was_seen);
  job = new_state
}

/* cuzk.end_parts: marks those that have not ended, but for `own`. */
inline end_parts(who, own) {
  i = 0;
  do
  :: i == PARTS -> break
  :: i < PARTS && i == own -> i++
  :: i < PARTS && i != own ->
#ifdef WAIT_FOR_PARTS
       atomic { part[i].lock == NOBODY -> mark(who) }
#else
       atomic {
         if
         :: part[i].lock == NOBODY -> mark(who)
         :: else -> i++
         fi
       }
#endif
  od
}

inline mark(who) {
  if
  :: UNENDED(part[i].state) -> part[i].lock = who; part[i].next = cancelled
  :: else -> skip
  fi;
  i++
}

/* In one step: what it changed is seen, its locks are gone. */
inline commit(who, new_job, whole_was_seen) {
  i = 0;
  do
  :: i < PARTS ->
       if
       :: part[i].lock == who -> part[i].state = part[i].next; part[i].lock = NOBODY; part[i].next = none
       :: else -> skip
       fi;
       i++
  :: else -> break
  od;
  if
  :: new_job != none ->
       if
       :: IS_END(new_job) -> end_job(new_job, whole_was_seen)
       :: else -> job = new_job
       fi
  :: else -> skip
  fi;
  if
  :: job_lock == who -> job_lock = NOBODY
  :: else -> skip
  fi;
  i = 0;
  do
  :: i < PARTS -> assert(job != completed || !by_parts || part[i].state == completed); i++
  :: else -> break
  od;
  i = 0
}

inline take(m, p) {
  part[p].state = leased;
  part[p].number++;
  machine[m].mine = p;
  machine[m].number = part[p].number
}

proctype Machine(byte m) {
  byte i;
  mtype:state comes_to, then;
  do
  /* claim: the job, of which it makes parts where others are idle */
  :: atomic { machine[m].mine == NOBODY && job == queued && job_lock == NOBODY ->
       if
       :: may_share ->
            job = shared;
            may_share = false;
            i = 0;
            do
            :: i < PARTS -> part[i].state = queued; i++
            :: else -> break
            od;
            i = 0
       :: job = leased; job_number++; machine[m].mine = PARTS; machine[m].number = job_number
       fi
     }
  /* claim: a part, skipping what is locked */
  :: atomic { machine[m].mine == NOBODY && part[0].state == queued && part[0].lock == NOBODY -> take(m, 0) }
  :: atomic { machine[m].mine == NOBODY && part[PARTS - 1].state == queued && part[PARTS - 1].lock == NOBODY ->
       take(m, PARTS - 1)
     }
  /* the job alone is proved, or found to be wrong */
  :: atomic { machine[m].mine == PARTS && job_lock == NOBODY ->
       if
       :: job_number == machine[m].number && (job == leased || job == queued) -> job_lock = m
       :: else -> skip
       fi;
       machine[m].mine = NOBODY
     };
     if
     :: job_lock == m ->
          end_parts(m, PARTS);  /* of an earlier attempt to share it */
          atomic {
            if
            :: wrong -> commit(m, failed, true)
            :: else -> commit(m, completed, true)
            fi
          }
     :: else -> skip
     fi
  /* a part is proved, or its input is found to be wrong: its row first */
  :: atomic { machine[m].mine < PARTS && part[machine[m].mine].lock == NOBODY ->
       if
       :: MAY_ACT(machine[m].mine, machine[m].number) ->
            part[machine[m].mine].lock = m;
            comes_to = (wrong -> failed : completed);
            part[machine[m].mine].next = comes_to
       :: else -> machine[m].mine = NOBODY       /* told that it is not its own: thrown away */
       fi
     };
     if
     :: machine[m].mine == NOBODY -> skip
     :: else ->
          then = none;
          /* the trigger: the job's row */
#ifndef NO_JOB_LOCK
          atomic { job_lock == NOBODY -> job_lock = m };
#endif
          if
          :: IS_SHARED(job) && comes_to == failed ->
#ifdef WRONG_IS_FINAL
               then = failed;
#else
               then = queued;                    /* for one machine */
#endif
               end_parts(m, machine[m].mine)
          :: IS_SHARED(job) && comes_to == completed ->
               atomic {
                 then = completed;
                 i = 0;
                 do
                 :: i < PARTS ->
                      if
                      :: i != machine[m].mine && part[i].state != completed -> then = none
                      :: else -> skip
                      fi;
                      i++
                 :: else -> break
                 od;
                 i = 0
               }
          :: else -> skip
          fi;
          atomic {
            if
            :: then == completed -> by_parts = true
            :: else -> skip
            fi;
            commit(m, then, false);
            machine[m].mine = NOBODY
          }
     fi
  /* kill -9: the lease stays in the table */
  :: atomic { machine[m].mine != NOBODY && faults < FAULTS -> faults++; machine[m].mine = NOBODY }
  od
}


active proctype Cancel() {
  byte i;
  do
  :: atomic { wants_cancel && job_lock == NOBODY ->
       wants_cancel = false;
       if
       :: IS_END(job) -> break
       :: else -> job_lock = CANCELS
       fi
     };
     end_parts(CANCELS, PARTS);
     atomic { commit(CANCELS, cancelled, true) }
     break
  :: atomic { wants_cancel -> wants_cancel = false }      /* the owner thinks better of it */
  od
}

/* The lease of one who is dead comes back, or of one who is taken for dead; in a transaction that others skip. */
inline take_back(p) {
  atomic { part[p].state == leased && part[p].lock == NOBODY &&
           (!IS_HELD(p, part[p].number) || faults < FAULTS) ->
    if
    :: IS_HELD(p, part[p].number) -> faults++
    :: else -> skip
    fi;
    part[p].lock = TIDIES;
    part[p].next = queued
  };
  atomic { part[p].state = queued; part[p].next = none; part[p].lock = NOBODY }
}

#define IS_LEFT_OVER(p) (IS_END(job) && UNENDED(part[p].state) && part[p].lock == NOBODY)

#ifndef NO_SWEEP
active proctype Sweep() {
  do
  :: atomic { job == leased && job_lock == NOBODY && (!IS_HELD(PARTS, job_number) || faults < FAULTS) ->
       if
       :: IS_HELD(PARTS, job_number) -> faults++
       :: else -> skip
       fi;
       job = queued
     }
  :: take_back(0)
  :: take_back(PARTS - 1)
  :: atomic { IS_LEFT_OVER(0) -> part[0].state = cancelled }
  :: atomic { IS_LEFT_OVER(PARTS - 1) -> part[PARTS - 1].state = cancelled }
  od
}
#endif

active proctype Judge() {
  byte i;
  timeout ->
  assert(IS_END(job));
  assert(job_lock == NOBODY);
  for (i : 0 .. PARTS - 1) {
    assert(part[i].lock == NOBODY);
    assert(!UNENDED(part[i].state))
  }
}

init {
  byte i;
  atomic {
    if
    :: wrong = true
    :: wrong = false
    fi;
    if
    :: wants_cancel = true
    :: wants_cancel = false
    fi;
    for (i : 0 .. PARTS - 1) { part[i].state = none; part[i].lock = NOBODY; part[i].next = none };
    for (i : 0 .. MACHINES - 1) { machine[i].mine = NOBODY; run Machine(i) }
  }
}
