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
  // expected-error@+1 {{'of' must name a task's pre-sync stack, but @f is none}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes []
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
  // expected-error@+1 {{'spawns' names pre-sync stacks, but @f.1 is none}}
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
