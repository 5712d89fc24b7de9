/* The protocol of a farm's leases: one table of jobs in a database, daemons that die, pause and come back.
 *
 * docs/adr/025 has the table of transitions. Each transition is one transaction; the database does not lose what it has
 * committed. A daemon that is paused keeps its leases in memory while others declare it dead; then its lease's number, the
 * fencing token, is what keeps it from touching what somebody else holds.
 *
 * What must hold:
 *   - what was acknowledged is in the table (assertion in poll), and final when nothing more can happen (Judge);
 *   - a final state never changes, and of one job one result is told (assertions in finish and tell);
 *   - a lease's number is given once (assertion in claim);
 *   - what is leased is changed by its holder, by who declares the holder dead, and by who cancels, and by nobody else
 *     (assertion in change).
 * Each of the following definitions drops one guard; the model must then fail (tests/models):
 *   ACK_FIRST       acknowledges before the row is committed
 *   NO_FENCE        a holder acts without looking at its lease's number
 *   FENCE_BY_NAME   a holder looks at who holds the lease and not at its number
 *   NO_FINAL        completes without looking whether the job has ended
 *   NUMBER_REUSED   giving back takes the number back too
 *   NO_SWEEP        nobody looks for the dead
 */
#ifndef DAEMONS
#define DAEMONS 2
#endif
#ifndef FAULTS
#define FAULTS 3      /* crashes and false alarms together */
#endif
#define ATTEMPTS 8    /* more than faults can use up: a job that fails for good is another matter */

mtype:state = { absent, queued, leased, completed, cancelled };
mtype:client = { idle, waiting, acknowledged, served };

/* The database: one job's row. */
mtype:state state = absent;
byte number;           /* of the last lease */
byte holder;           /* of the lease, while it is leased */
byte result;

/* Each daemon's memory: the leases that it believes to hold, two since it may be declared dead and claim again. */
typedef Daemon {
  byte mine[2];        /* numbers; 0 is none */
}
Daemon daemon[DAEMONS];

/* Ghosts: what is true, whatever anybody believes. */
byte true_holder = 255;
byte given;            /* the largest number that was given */
byte told;             /* the result that anybody could see, 0 before */
byte runs;

mtype:client client = idle;
bool wants_cancel = true;
byte faults, begun;

#define IS_FINAL (state == completed || state == cancelled)
#define SOMEBODY_ELSE 254

inline change(who) {
  assert(state != leased || who == true_holder || who == SOMEBODY_ELSE)
}

/* May daemon d act by lease n? Its own lease still stands, or it ran out and nobody has claimed since. */
#ifdef NO_FENCE
#define MAY_ACT(d, n) (true)
#else
#ifdef FENCE_BY_NAME
#define MAY_ACT(d, n) (state != leased || holder == d)
#else
#define MAY_ACT(d, n) (number == n)
#endif
#endif
#ifdef NO_FINAL
#define MAY_END (state != absent)
#else
#define MAY_END (!IS_FINAL)
#endif

inline finish(new_state, new_result) {
  assert(!IS_FINAL);
  state = new_state;
  result = new_result;
  true_holder = 255
}

active proctype Client() {
  do
  :: atomic { client == idle ->
       client = waiting;
#ifdef ACK_FIRST
       client = acknowledged
#endif
     }
  :: atomic { client == waiting && state != absent -> client = acknowledged }   /* joins, or the commit is told */
  :: atomic { client == acknowledged && (IS_FINAL || state == absent) ->
       assert(state != absent);
       client = served
     }
  :: client == served -> break
  od
}

/* An acceptor inserts the row; it may die before, and then the client comes again. */
active proctype Acceptor() {
  do
  :: atomic { client != idle && state == absent && begun == 0 -> begun = 1 }
  :: atomic { begun == 1 -> begun = 2; state = queued }
  :: atomic { begun == 1 && faults < FAULTS ->
       faults++;
       begun = 0;
       if
       :: client == waiting -> client = idle
       :: else -> begun = 2        /* nobody comes again */
       fi
     }
  :: begun == 2 -> break
  od
}

/* A daemon: slot s is a thread that works on the lease mine[s]. Between any two steps it may stand still. */
proctype Work(byte d; byte s) {
  do
  :: atomic { state == queued && daemon[d].mine[s] == 0 && number < ATTEMPTS ->
       number++;
       assert(number > given);
       given = number;
       state = leased;
       holder = d;
       true_holder = d * 2 + s;
       daemon[d].mine[s] = number
     }
  :: atomic { daemon[d].mine[s] != 0 ->        /* it is proved: complete */
       runs++;
       if
       :: MAY_ACT(d, daemon[d].mine[s]) && MAY_END ->
            change(d * 2 + s);
            finish(completed, runs);
            assert(told == 0 || told == runs);
            told = runs
       :: else -> skip                         /* told that it is not its own: thrown away */
       fi;
       daemon[d].mine[s] = 0
     }
  :: atomic { daemon[d].mine[s] != 0 && faults < FAULTS ->   /* it stops, or its machine cannot: give back */
       faults++;
       if
       :: MAY_ACT(d, daemon[d].mine[s]) && state == leased ->
            change(d * 2 + s);
            state = queued;
            true_holder = 255;
#ifdef NUMBER_REUSED
            number--;
#endif
       :: else -> skip
       fi;
       daemon[d].mine[s] = 0
     }
  :: atomic { daemon[d].mine[s] != 0 && faults < FAULTS ->   /* kill -9: the lease stays in the table */
       faults++;
       daemon[d].mine[s] = 0
     }
  od
}

/* Whoever tidies up: a holder was not seen for the length of a lease. It may be dead, or only slow. */
active proctype Sweep() {
  do
#ifndef NO_SWEEP
  :: atomic { state == leased && daemon[holder].mine[0] != number && daemon[holder].mine[1] != number ->
       change(SOMEBODY_ELSE);
       state = queued;
       true_holder = 255
     }
  :: atomic { state == leased && faults < FAULTS ->           /* a false alarm */
       faults++;
       change(SOMEBODY_ELSE);
       state = queued;
       true_holder = 255
     }
#endif
  :: atomic { wants_cancel && (state == queued || state == leased) ->
       change(SOMEBODY_ELSE);
       wants_cancel = false;
       finish(cancelled, 0)
     }
  :: atomic { wants_cancel -> wants_cancel = false }          /* the owner thinks better of it */
  od
}

active proctype Judge() {
  timeout ->
  assert(client == served);
  assert(IS_FINAL)
}

init {
  atomic {
    byte d;
    for (d : 0 .. DAEMONS - 1) {
      run Work(d, 0);
      run Work(d, 1)
    }
  }
}
