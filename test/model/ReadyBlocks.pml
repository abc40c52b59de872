/*
 * Counts of parents, the queue of ready blocks, and workers that sleep: runtime/blocks/ReadyBlocks.h as SharedBlocks.cpp
 * uses it. Workers run all blocks of a small graph. Checked for every interleaving:
 *   - order: a block runs once, and after all its parents (assertions)
 *   - no deadlock: all workers end (spin's end-state check)
 *   - wake-ups: when a worker has shared a block, the other one does not sleep beside it (assertion, with two workers)
 *   - the end: all blocks have run (assertion; -DLTL: always reached, if no worker is left behind for ever)
 *
 * -DGRAPH=n     0: diamond of 4 blocks; 1: 5 blocks, of which two wait for two and three others; 2: wavefront of 3 x 2;
 *               3: two blocks, each with two children of its own; 4: a block with three children, of which one has two more
 * -DWORKERS=n   workers
 *
 * Broken on purpose. Spin must find an error in each of them:
 * -DSPLIT_COUNT: a count is read and written in two steps; -DEARLY_PUSH: a block is shared before its count is 0;
 * -DSPLIT_TAIL: two workers may write one slot; -DSPLIT_HEAD: two workers may take one slot;
 * -DEARLY_LOOK: a worker looks for sleepers before it writes the slot; -DLATE_SLEEP: a worker says that it sleeps after its
 * last look at the queue; -DNO_LOCK: a signal may come between the last look and the wait; -DNO_END: the last worker wakes
 * nobody.
 *
 * Steps are sequentially consistent here. BlockModel.cpp checks the memory orders with Relacy.
 */
#ifndef GRAPH
#define GRAPH 0
#endif
#ifndef WORKERS
#define WORKERS 2
#endif

/* Children of a node, as a set of bits. */
#if GRAPH == 0
#define N 4
#define CHILDREN(n) ((n) == 0 -> 6 : ((n) == 3 -> 0 : 8))
#elif GRAPH == 1
#define N 5
#define CHILDREN(n) ((n) < 2 -> 24 : ((n) == 2 -> 16 : 0))
#elif GRAPH == 3
#define N 6
#define CHILDREN(n) ((n) == 0 -> 12 : ((n) == 1 -> 48 : 0))
#elif GRAPH == 4
#define N 6
#define CHILDREN(n) ((n) == 0 -> 14 : ((n) == 1 -> 48 : 0))
#else
#define N 6
#define CHILDREN(n) ((n) == 0 -> 10 : ((n) == 1 -> 20 : ((n) == 2 -> 32 : ((n) == 3 -> 16 : ((n) == 4 -> 32 : 0)))))
#endif
#define IS_EDGE(parent, child) ((CHILDREN(parent) >> (child)) & 1)

byte count[N]; /* parents that have not ended */
byte slots[N]; /* a node plus 1; 0: not written yet */
byte head, tail, sleepers;
byte finished; /* blocks that workers have reported */
byte runs[N];

bool mutex;
bool blocked[WORKERS]; /* waits for the condition */
byte ended; /* workers that have left */
bool over;

inline lock() { atomic { !mutex -> mutex = true } }
inline unlock() { mutex = false }

/* Wakes any one of those that wait. */
inline signal() {
  atomic {
    if
    :: blocked[0] -> blocked[0] = false
#if WORKERS > 1
    :: blocked[1] -> blocked[1] = false
#endif
#if WORKERS > 2
    :: blocked[2] -> blocked[2] = false
#endif
    :: else
    fi
  }
}

inline broadcast() {
  d_step {
    i = 0;
    do
    :: i < WORKERS -> blocked[i] = false; i++
    :: else -> break
    od;
    i = 0
  }
}

/* Shares a block. One worker is woken. */
inline push(block) {
#ifdef EARLY_LOOK
  mayWake = sleepers > 0;
#endif
#ifdef SPLIT_TAIL
  slot = tail;
  tail = slot + 1;
#else
  d_step { slot = tail; tail++ }
#endif
  slots[slot] = block + 1;
#ifndef EARLY_LOOK
  mayWake = sleepers > 0;
#endif
  slot = 0;
  if
  :: mayWake ->
#ifdef NO_LOCK
     signal()
#else
     lock();
     signal();
     unlock()
#endif
  :: else
  fi;
#if WORKERS == 2
  d_step { assert(!(blocked[1 - w] && head < tail && slots[head])); mayWake = false }
#else
  mayWake = false
#endif
}

/* Shares the blocks of the set `others`. All workers are woken. */
inline pushAll() {
#ifdef EARLY_LOOK
  mayWake = sleepers > 0;
#endif
#ifdef SPLIT_TAIL
  slot = tail;
  tail = slot + numOthers;
#else
  d_step { slot = tail; tail = tail + numOthers }
#endif
  i = 0;
  do
  :: i < N ->
     if
     :: (others >> i) & 1 -> slots[slot] = i + 1; slot++
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0;
#ifndef EARLY_LOOK
  mayWake = sleepers > 0;
#endif
  slot = 0;
  if
  :: mayWake ->
#ifdef NO_LOCK
     broadcast()
#else
     lock();
     broadcast();
     unlock()
#endif
  :: else
  fi;
#if WORKERS == 2
  d_step { assert(!(blocked[1 - w] && head < tail && slots[head])); mayWake = false }
#else
  mayWake = false
#endif
}

/* got: the block plus 1, or 0 */
inline pop() {
  first = head;
  do
  :: first == N -> got = 0; break
  :: else ->
     got = slots[first];
     if
     :: got == 0 -> break
#ifdef SPLIT_HEAD
     :: else -> head = first + 1; break
#else
     :: else ->
        d_step {
          isTaken = (head == first);
          if
          :: isTaken -> head++
          :: else -> first = head
          fi
        }
        if
        :: isTaken -> break
        :: else
        fi
#endif
     fi
  od;
  skip; /* a loop's end must not lead into a d_step */
  d_step { first = 0; isTaken = false }
}

/* isLast: the caller was the last parent of the child */
inline countDown(child) {
  value = count[child];
#ifdef SPLIT_COUNT
  isLast = (value == 1);
  count[child] = value - 1;
#else
  if
  :: value == 1 -> isLast = true
  :: else -> d_step { assert(count[child] > 0); isLast = (count[child] == 1); count[child]-- }
  fi;
#endif
#ifdef EARLY_PUSH
  isLast = true;
#endif
  value = 0
}

inline runBlock() {
  d_step {
    i = 0;
    do
    :: i < N -> assert(!IS_EDGE(i, node) || runs[i] == 1); i++
    :: else -> break
    od;
    i = 0;
    runs[node]++;
    assert(runs[node] == 1);
    own++
  }
}

/* Shares all children that are ready but one; kept: that child plus 1, or 0 */
inline complete() {
  child = 0;
  do
  :: child < N ->
     if
     :: IS_EDGE(node, child) ->
        countDown(child);
        if
        :: isLast && kept == 0 -> kept = child + 1
        :: isLast && kept > 0 -> d_step { others = others | (1 << child); numOthers++; other = child }
        :: else
        fi
     :: else
     fi;
     d_step { isLast = false; child++ }
  :: else -> break
  od;
  child = 0;
  if
  :: numOthers == 1 -> push(other)
  :: numOthers > 1 -> pushAll()
  :: else
  fi;
  d_step { others = 0; numOthers = 0; other = 0 }
}

/* got: a block plus 1, or 0: the run is over */
inline sleep() {
  lock();
#ifndef LATE_SLEEP
  sleepers++;
#endif
  do
  :: pop();
     if
     :: got || finished == N -> break
     :: else
     fi;
#ifdef LATE_SLEEP
     sleepers++;
#endif
     d_step { blocked[w] = true; mutex = false };
     !blocked[w];
     lock()
#ifdef LATE_SLEEP
     ; sleepers--
#endif
  od;
#ifndef LATE_SLEEP
  sleepers--;
#endif
  unlock()
}

proctype Worker(byte w) {
  byte node, kept, child, slot, first, got, value, own, i, others, numOthers, other;
  bool isLast, isTaken, mayWake;
  do
  :: pop();
     if
     :: got == 0 ->
        d_step { finished = finished + own; own = 0; isLast = (finished == N) };
        if
        :: isLast ->
#ifndef NO_END
#ifdef NO_LOCK
           broadcast();
#else
           lock();
           broadcast();
           unlock();
#endif
#endif
           break
        :: else -> sleep()
        fi;
        if
        :: got == 0 -> break
        :: else
        fi
     :: else
     fi;
     d_step { node = got - 1; got = 0 };
     do
     :: runBlock();
        complete();
        if
        :: kept > 0 -> d_step { node = kept - 1; kept = 0 }
        :: else -> break
        fi
     od;
     node = 0
  od;
  ended++
}

init {
  byte n, p, w;
  atomic {
    do
    :: n < N ->
       p = 0;
       do
       :: p < N -> count[n] = count[n] + IS_EDGE(p, n); p++
       :: else -> break
       od;
       if
       :: count[n] == 0 -> slots[tail] = n + 1; tail++
       :: else
       fi;
       n++
    :: else -> break
    od;
    do
    :: w < WORKERS -> run Worker(w); w++
    :: else -> break
    od
  }
  ended == WORKERS;
  d_step {
    n = 0;
    do
    :: n < N -> assert(runs[n] == 1); n++
    :: else -> break
    od;
    assert(finished == N && sleepers == 0 && head == tail && !mutex)
  }
  over = true
}

#ifdef LTL
ltl ended { <> over }
#endif
