// Tests every diagnostic of the channel dialect's verifiers.
// RUN: cilk-opt %s --split-input-file --verify-diagnostics

channel.graph @g {
  // expected-error@+1 {{a stack that resumes a task has one field, the frame (!llvm.ptr); found [i32]}}
  channel.stack @f.1 (i32) resumes @f
}

// -----

channel.graph @g {
  // expected-error@+1 {{'resumes' must name a pre-sync stack of this graph, but @f names none}}
  channel.stack @f.1 (!llvm.ptr) resumes @f
}

// -----

channel.graph @g {
  channel.stack @f ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // expected-error@+1 {{'resumes' must name a pre-sync stack of this graph, but @f.1 is a post-sync one}}
  channel.stack @f.2 (!llvm.ptr) resumes @f.1
}

// -----

channel.graph @g {
  // expected-error@+1 {{a channel.graph holds nodes and dependencies only; move it out of the graph}}
  llvm.func @f()
}

// -----

channel.graph @g {
  // expected-error@+1 {{'of' must name a task's pre-sync stack or a queue, but @f is none}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}

// -----

channel.graph @g {
  channel.stack @f (i32)
  channel.stack @f.post1 (!llvm.ptr) resumes @f
  // expected-error@+1 {{'of' must name a task's pre-sync stack or a queue, but @f.post1 is none}}
  channel.frame @f.frame of @f.post1 size 16 align 8
  channel.depend @f.post1 on [@f] drained below
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{'consumes' must name a stack or queue of this graph, but @h is none}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @h spawns [] publishes []
}

// -----

channel.graph @g {
  channel.stack @f ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // expected-error@+1 {{'spawns' names pre-sync stacks and queues, but @f.1 is none}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f.1] publishes []
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{'publishes' names stacks that resume @f, but @f does not}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes [@f]
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{'body' must name an llvm.func beside the graph, but @f.k0 is none}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
}

// -----

channel.graph @g {
  // expected-error@+1 {{a dependency is between stacks of this graph, but @h is none}}
  channel.depend @h on [] drained below
}

// -----

channel.graph @g {
  // expected-error@+1 {{attribute 'width' failed to satisfy constraint}}
  channel.queue @q (i32) width 0
}

// -----

llvm.func @f() {
  // expected-error@+1 {{must name a stack or queue, but @g::@f names none}}
  %ce = channel.deq @g::@f
  llvm.return
}

// -----

channel.graph @g {
  // expected-note@+1 {{an element has ('i32')}}
  channel.stack @f (i32)
}
llvm.func @f(%x: i64) {
  // expected-error@+1 {{fields must match the elements of @g::@f: ('i64') given}}
  channel.root @g::@f (%x : i64)
  llvm.return
}

// -----

channel.graph @g {
  channel.stack @f (i32)
  channel.frame @f.frame of @f size 8 align 8
}
llvm.func @f() {
  // expected-error@+1 {{a frame is allocated as !llvm.ptr, an element as !channel.element; found '!channel.element' for @g::@f.frame}}
  %x = channel.talloc @g::@f.frame : !channel.element
  llvm.return
}

// -----

channel.graph @g {
  // expected-error@+1 {{'result' is the index of a field of a pre-sync stack; found 2 for [i32, !llvm.ptr]}}
  channel.stack @f (i32, !llvm.ptr) result 2
}

// -----

channel.graph @g {
  // expected-error@+1 {{'result' names an address (!llvm.ptr) or an offset (i32); found 'i64'}}
  channel.stack @f (i64, !llvm.ptr) result 0
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{a stack that resumes a task is as wide as its frames; remove 'width'}}
  channel.stack @f.1 (!llvm.ptr) width 4 resumes @f
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{a post-sync stack needs a dependency; add channel.depend @f.1 on [...] drained below}}
  channel.stack @f.1 (!llvm.ptr) resumes @f
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{elements of a post-sync stack wait, but @f is a pre-sync one, whose elements are always ready}}
  channel.depend @f on [] drained below
}

// -----

channel.graph @g {
  channel.stack @f ()
  channel.stack @h ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // expected-error@+1 {{all work that is spawned before a sync is awaited there, but the dependency of @f.1 does not cover @h; add it to 'on'}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@h] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k0 consumes @f.1 spawns [] publishes []
  channel.kernel @h.k0 segment 0 of @h body @f.k0 consumes @h spawns [@f] publishes []
  channel.depend @f.1 on [] drained below
}
llvm.func @f.k0()

// -----

// The dependency on @h covers @f, which @h spawns.
channel.graph @g {
  channel.stack @f ()
  channel.stack @h ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f, @h] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k0 consumes @f.1 spawns [] publishes []
  channel.kernel @h.k0 segment 0 of @h body @f.k0 consumes @h spawns [@f] publishes []
  channel.depend @f.1 on [@h] drained below
}
llvm.func @f.k0()

// -----

channel.graph @g {
  channel.stack @f ()
  channel.stack @h ()
  // expected-error@+1 {{segment 0 consumes its task's own stack or queue, and the others a stack that resumes the task; segment 0 of @f consumes @h}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @h spawns [] publishes []
}
llvm.func @f.k0()

// -----

channel.graph @g {
  // expected-error@+1 {{is consumed by one kernel, but 2 consume it; give each its own queue}}
  channel.queue @q (i32) width 4
  channel.kernel @a segment 0 of @q body @a consumes @q spawns [] publishes []
  channel.kernel @b segment 0 of @q body @a consumes @q spawns [] publishes []
}
llvm.func @a()

// -----

channel.graph @g {
  channel.stack @f ()
  channel.queue @q (i32) width 4
  // expected-error@+1 {{consumes a queue and enqueues to queues only, but @f is none; spawn it from a task}}
  channel.kernel @a segment 0 of @q body @a consumes @q spawns [@f] publishes []
}
llvm.func @a()

// -----

channel.graph @g {
  // expected-error@+1 {{a cycle of queues could never be drained, but elements of "q" lead back to it; break the cycle with a stack}}
  channel.queue @q (i32) width 4
  channel.queue @r (i32) width 4
  channel.kernel @a segment 0 of @q body @a consumes @q spawns [@r] publishes []
  channel.kernel @b segment 0 of @r body @a consumes @r spawns [@q] publishes []
}
llvm.func @a()
