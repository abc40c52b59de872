/*
 * A stack of channels, the levelized scheduler and wavefront yield, for Cilk's recursion: one task in, each task above
 * the deepest level spawns two children and has a post-sync part. Checked for every interleaving of contexts and
 * aggregator:
 *   - no deadlock: whenever nothing can move, everything is over (spin's end-state check)
 *   - occupancy: no channel holds more than W elements, no level more than W frames (assertions)
 *   - order: when a post-sync task runs, its two children and all below them are done (assertion)
 *   - yield: a context whose wave finds no room hands the wave to the restart channel and is free for another; the
 *     aggregator takes it to its table of blocked waves, and restarts it on the same compute unit. A context waits for room in
 *     the restart channel: one entry for each context is not always enough, as an entry of its last wave may be there still
 *   - drained: in the end each task ran once, and every channel and frame is free (assertion; -DLTL: always reached)
 *
 * -DDEPTH=n     levels below the root          -DW=n    width of every channel
 * -DCONTEXTS=n  wavefront contexts             -DG=n    elements that share a done count
 * -DCUS=n       compute units, context k on unit k % CUS
 * -DRESTARTS=n  entries of the restart channel (default: one for each context)
 * Broken on purpose. The first three must deadlock, and the last must violate the order:
 * -DNO_YIELD: a context waits for room; -DNO_CLOSE: unfilled groups are never freed; -DNO_RESTART: blocked waves stay in
 * the restart channel; -DNO_LEVELS: a post-sync task does not wait for deeper tasks.
 *
 * One atomic step here is one that test/model's Relacy scenarios show to be atomic for the real channel: reserve (maybe
 * in part), publish, free in order. An element stays dispatched while its wave is yielded, as in the paper.
 */
#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef W
#define W 1
#endif
#ifndef CONTEXTS
#define CONTEXTS 2
#endif
#ifndef G
#define G 1
#endif
#ifndef CUS
#define CUS 1
#endif
#ifndef RESTARTS
#define RESTARTS CONTEXTS
#endif

#define LEVELS (DEPTH + 1)
#define TASKS ((2 << DEPTH) - 1)
#define AT(level, slot) ((level) * W + (slot))

#define AVAILABLE 0
#define RESERVED 1
#define READY 2
#define DISPATCHED 3
#define DONE 4

#define PRE 0
#define POST 1

byte state[LEVELS * W];  /* of each element */
byte parked[LEVELS * W]; /* the aggregator's table: 1 + children spawned, of the blocked wave with this element; 0: none */
byte unitOf[LEVELS * W]; /* compute unit of that wave */
byte head[LEVELS], used[LEVELS];
byte frames[LEVELS], post[LEVELS]; /* frames taken; post-sync elements that are ready */
byte finished;

/* Who waits for whom; the scheduler does not look at it. */
byte parent[LEVELS * W];      /* of an element: its parent's frame, one level up */
byte frameOf[LEVELS * W];     /* of an element: its own frame */
bool waiting[LEVELS * W];     /* of a frame: its post-sync element is ready */
bool taken[LEVELS * W];       /* of a frame */
byte pending[LEVELS * W];     /* of a frame: children that are not done */
byte frameParent[LEVELS * W]; /* of a frame: the parent's frame, one level up */

bool idle[CONTEXTS];
byte idleOn[CUS]; /* contexts of a compute unit that are idle */
chan restarts = [RESTARTS] of { byte, byte, byte, byte }; /* level, slot, children spawned, context */
bool changed = true; /* something happened that the aggregator may react to */
bool over;

chan go[CONTEXTS] = [0] of { byte, byte, byte, byte }; /* kind, level, slot, children spawned */

/* A task at this level is over: one child less for the frame above. */
inline finish(level, frame) {
  finished++;
  if
  :: level > 0 -> assert(pending[AT(level - 1, frame)] > 0); pending[AT(level - 1, frame)]--
  :: else
  fi
}

/* n: how many of the remaining children get room at the next level; first: slot of the first of them. */
inline reserve() {
  d_step {
    n = (2 - i < W - used[d + 1] -> 2 - i : W - used[d + 1]);
    first = (head[d + 1] + used[d + 1]) % W;
    e = 0;
    do
    :: e < n -> assert(state[AT(d + 1, (first + e) % W)] == AVAILABLE);
                state[AT(d + 1, (first + e) % W)] = RESERVED;
                parent[AT(d + 1, (first + e) % W)] = frameOf[AT(d, s)];
                pending[AT(d, frameOf[AT(d, s)])]++; e++
    :: else -> break
    od;
    used[d + 1] = used[d + 1] + n;
    assert(used[d + 1] <= W);
    e = 0
  }
}

inline publish() {
  d_step {
    e = 0;
    do
    :: e < n -> state[AT(d + 1, (first + e) % W)] = READY; e++
    :: else -> break
    od;
    i = i + n; e = 0; n = 0; first = 0;
    changed = true
  }
}

proctype Context(byte k) {
  byte kind, d, s, i, n, first, e;
end:
  do
  :: go[k] ? kind, d, s, i ->
     if
     :: kind == POST ->
        assert(pending[AT(d, s)] == 0);
        d_step {
          frames[d]--; taken[AT(d, s)] = false;
          finish(d, frameParent[AT(d, s)]);
          frameParent[AT(d, s)] = 0
        }
     :: kind == PRE ->
        do
        :: d < DEPTH && i < 2 ->
           reserve();
           if
           :: n > 0 -> publish()
#ifdef NO_YIELD
           :: n == 0 -> used[d + 1] < W
#else
           :: n == 0 -> len(restarts) < RESTARTS;
                        restarts ! d, s, i, k;
                        changed = true; break
#endif
           fi
        :: else ->
           d_step {
             e = 0;
             if
             :: d < DEPTH -> post[d]++; waiting[AT(d, frameOf[AT(d, s)])] = true
             :: else -> finish(d, parent[AT(d, s)])
             fi;
             frameOf[AT(d, s)] = 0; parent[AT(d, s)] = 0
           };
           state[AT(d, s)] = DONE; break
        od
     fi;
     skip; /* a loop's end must not lead into a d_step */
     d_step { kind = 0; d = 0; s = 0; i = 0; n = 0; first = 0; idle[k] = true; idleOn[k % CUS]++; changed = true }
  od
}

/* Frees, at every level and in order, groups that are done, and the unfilled last one if all that was reserved is. */
inline reclaim() {
  d_step {
    d = 0;
    do
    :: d < LEVELS ->
       do
       :: used[d] > 0 ->
          /* group of the head, how much of it is reserved, how much done */
          group = (W - head[d] < G -> W - head[d] : G);
          s = 0; n = 0;
          do
          :: s < group -> n = n + (state[AT(d, head[d] + s)] == DONE); s++
          :: else -> break
          od;
          if
#ifdef NO_CLOSE
          :: n == group ->
#else
          :: n == group || n == used[d] ->
#endif
             s = 0;
             do
             :: s < group -> state[AT(d, head[d] + s)] = AVAILABLE; s++
             :: else -> break
             od;
             used[d] = used[d] - n;
             head[d] = (head[d] + group) % W
          :: else -> break
          fi
       :: else -> break
       od;
       d++
    :: else -> break
    od;
    d = 0; s = 0; n = 0; group = 0
  }
}

/* Takes blocked waves from the restart channel to the table. */
inline collect() {
#ifdef NO_RESTART
  skip
#else
  d_step {
    do
    :: len(restarts) > 0 ->
       restarts ? d, s, i, k;
       assert(parked[AT(d, s)] == 0);
       parked[AT(d, s)] = 1 + i; unitOf[AT(d, s)] = k % CUS
    :: else -> break
    od;
    d = 0; s = 0; i = 0; k = 0
  }
#endif
}

/* Finds what to run next, deepest level first: n = 1 and kind, d, s, i say what. */
inline choose() {
  d_step {
    n = 0; deeper = false;
    d = LEVELS;
    do
    :: d > 0 && n == 0 ->
       d--;
       s = 0;
       do
       :: s < W && n == 0 ->
          if
          :: parked[AT(d, s)] > 0 && used[d + 1] < W && idleOn[unitOf[AT(d, s)]] > 0 -> n = 1; i = parked[AT(d, s)] - 1; kind = PRE
          :: else ->
             if
             :: state[AT(d, s)] == READY && (d == DEPTH || frames[d] < W) -> n = 1; i = 0; kind = PRE
             :: else -> s++
             fi
          fi
       :: else -> break
       od;
       if
#ifdef NO_LEVELS
       :: n == 0 && post[d] > 0 -> n = 1; i = 0; s = 0; kind = POST;
#else
       :: n == 0 && post[d] > 0 && !deeper -> n = 1; i = 0; s = 0; kind = POST;
#endif
          do
          :: !waiting[AT(d, s)] -> s++
          :: else -> break
          od
       :: else
       fi;
       if
       :: n == 0 -> deeper = deeper || used[d] > 0 || frames[d] > 0 || post[d] > 0
       :: else
       fi
    :: else -> break
    od;
    k = 0;
    do
    :: k < CONTEXTS && (!idle[k] || (n == 1 && kind == PRE && parked[AT(d, s)] > 0 && k % CUS != unitOf[AT(d, s)])) -> k++
    :: else -> break
    od;
    if
    :: n == 1 && k < CONTEXTS ->
       idle[k] = false; idleOn[k % CUS]--;
       if
       :: kind == POST -> post[d]--; waiting[AT(d, s)] = false
       :: parked[AT(d, s)] > 0 && kind == PRE -> parked[AT(d, s)] = 0; unitOf[AT(d, s)] = 0
       :: else -> state[AT(d, s)] = DISPATCHED;
          if
          :: d < DEPTH ->
             frames[d]++; assert(frames[d] <= W);
             e = 0;
             do
             :: taken[AT(d, e)] -> e++
             :: else -> break
             od;
             taken[AT(d, e)] = true; frameOf[AT(d, s)] = e;
             frameParent[AT(d, e)] = parent[AT(d, s)]; e = 0
          :: else
          fi
       fi
    :: else -> n = 0; d = 0; s = 0; i = 0; k = 0; kind = 0
    fi;
    deeper = false
  }
}

active proctype Aggregator() {
  byte kind, d, s, i, n, k, group, e;
  bool deeper;
  d_step {
    state[AT(0, 0)] = READY;
    used[0] = 1;
    k = 0;
    do
    :: k < CONTEXTS -> idle[k] = true; idleOn[k % CUS]++; k++
    :: else -> break
    od;
    k = 0
  }
  atomic {
    do
    :: k < CONTEXTS -> run Context(k); k++
    :: else -> break
    od;
    k = 0
  }
  do
  :: finished == TASKS && used[0] == 0 -> break
  :: else ->
     d_step { changed; changed = false }
     do
     :: reclaim();
        collect();
        choose();
        if
        :: n == 0 -> break
        :: n == 1 ->
           go[k] ! kind, d, s, i;
           d_step { n = 0; d = 0; s = 0; i = 0; k = 0; kind = 0 }
        fi
     od
  od;
  skip;
  d_step {
    d = 0;
    do
    :: d < LEVELS -> assert(used[d] == 0 && frames[d] == 0 && post[d] == 0); d++
    :: else -> break
    od;
    s = 0;
    do
    :: s < LEVELS * W -> assert(state[s] == AVAILABLE && parked[s] == 0); s++
    :: else -> break
    od
  }
  over = true
}

#ifdef LTL
ltl drained { <> over }
#endif
