// Tests every diagnostic of the verifiers of block graphs.
// RUN: cilk-opt %s --split-input-file --verify-diagnostics

channel.graph @g {
  // expected-error@+1 {{'threads' are three extents (x, y, z) from 1 to 1024; found [8, 8]}}
  channel.blocks @b fields() body @b.block threads [8, 8]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'threads' are three extents (x, y, z) from 1 to 1024; found [8, 0, 1]}}
  channel.blocks @b fields() body @b.block threads [8, 0, 1]
}

// -----

channel.graph @g {
  // expected-error@+1 {{a block has at most 1024 threads, but [64, 32, 1] are 2048; make it smaller}}
  channel.blocks @b fields() body @b.block threads [64, 32, 1]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'bound' belongs to 'policy lvl', but the policy is lrr; remove 'bound'}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] policy lrr bound 3
}

// -----

channel.graph @g {
  // expected-error@+1 {{'policy lvl' needs a bound on the distance of levels; add 'bound 3'}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] policy lvl
}

// -----

channel.graph @g {
  // expected-error@+1 {{'bound' is from 1 to 2147483647; found 0}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] policy lvl bound 0
}

// -----

channel.graph @g {
  // expected-error@+1 {{an offset has three numbers (x, y, z); found 2}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] offsets = [[-1, 0]]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'offsets' are three numbers each (x, y, z); found 4 numbers}}
  "channel.blocks"() {body = @b.block, fields = [], offsets = array<i64: -1, 0, 0, -1>, sym_name = "b", threads = array<i64: 1, 1, 1>} : () -> ()
}

// -----

channel.graph @g {
  // expected-error@+1 {{an offset is three numbers of 32 bits; found [-4294967296, 0, 0]}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] offsets = [[-4294967296, 0, 0]]
}

// -----

channel.graph @g {
  // expected-error@+1 {{an offset leads to a smaller block ID (its last coordinate that is not 0 is negative), but [0, 0, 0] leads to the block itself; use 'links' for a graph of another kind}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] offsets = [[-1, 0, 0], [0, 0, 0]]
}

// -----

// Compared by z, then y, then x: [5, -1, 0] leads to a smaller ID, [-5, 1, 0] to a larger one.
channel.graph @g {
  // expected-error@+1 {{but [-5, 1, 0] leads to a larger one; use 'links' for a graph of another kind}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] offsets = [[5, -1, 0], [-5, 1, 0]]
}

// -----

channel.graph @g {
  // expected-error@+1 {{at most one of 'links', 'offsets' and 'starts' says which blocks are parents; found 'links' and 'offsets'}}
  channel.blocks @b fields() body @b.block links @b.links threads [1, 1, 1] offsets = [[-1, 0, 0]]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'starts' and 'children' are a graph together; add 'children'}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 0]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'starts' has one entry more than there are nodes, and at least one; found none}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [] children = []
}

// -----

channel.graph @g {
  // expected-error@+1 {{'starts' begins with 0; found 1}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [1, 1] children = [0]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'starts' never decreases, but the children of node 1 begin at 2 and end at 1}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 2, 1, 2] children = [1, 2]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'starts' ends with the number of children, 2; found 1}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 1, 1] children = [1, 1]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'children' are numbers of nodes, below 2, but entry 1 is 2}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 2, 2] children = [1, 2]
}

// -----

channel.graph @g {
  // expected-error@+1 {{blocks on a cycle would wait for one another forever: 1 -> 3 -> 2 -> 1; remove a child}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 1, 2, 4, 5, 5] children = [1, 3, 1, 4, 2]
}

// -----

channel.graph @g {
  // expected-error@+1 {{blocks on a cycle would wait for one another forever: 0 -> 0; remove a child}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 1] children = [0]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'body' must name an llvm.func beside the graph, but @b.block is none}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}

// -----

channel.graph @g {
  // expected-error@+1 {{'body' has the fields as parameters and no result: '!llvm.func<void (i32, ptr)>' is wanted}}
  channel.blocks @b fields(i32, !llvm.struct<(i32)>) body @b.block threads [1, 1, 1]
}
// expected-note@+1 {{@b.block is of type '!llvm.func<void (i32)>'}}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}

// -----

channel.graph @g {
  // expected-error@+1 {{'body' must belong to this node; add the attribute channel.blocks = @g::@b to @b.block}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block()

// -----

channel.graph @g {
  channel.blocks @a fields() body @b.block threads [1, 1, 1]
  // expected-error@+1 {{'body' must belong to this node; add the attribute channel.blocks = @g::@b to @b.block}}
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
// expected-note@+1 {{@b.block belongs to @g::@a}}
llvm.func @b.block() attributes {channel.blocks = @g::@a}

// -----

channel.graph @g {
  // expected-error@+1 {{'body' and 'links' are two functions, but both are @b.block}}
  channel.blocks @b fields() body @b.block links @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}

// -----

channel.graph @g {
  // expected-error@+1 {{'links' has no parameters and no result: '!llvm.func<void ()>' is wanted}}
  channel.blocks @b fields() body @b.block links @b.links threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
// expected-note@+1 {{@b.links is of type '!llvm.func<i32 ()>'}}
llvm.func @b.links() -> i32 attributes {channel.blocks = @g::@b}

// -----

// Operations outside of the functions that they belong to.
channel.graph @g {
  channel.blocks @b fields() body @b.block links @b.links threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b} {
  %x = channel.block_id x : i32
  // expected-error@+1 {{stands in the links of a block graph, but @b.block is the body of @g::@b}}
  channel.link %x, %x, %x
  llvm.return
}
llvm.func @b.links() attributes {channel.blocks = @g::@b}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block links @b.links threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @b.links() attributes {channel.blocks = @g::@b} {
  // expected-error@+1 {{stands in the body of a block graph, but @b.links is the links of @g::@b}}
  %lane = channel.thread_id x : i32
  llvm.return
}

// -----

llvm.func @ordinary() {
  // expected-error@+1 {{stands in the body or the links of a block graph, but @ordinary is neither; name it in a channel.blocks, and that node in the function's attribute channel.blocks}}
  %x = channel.block_id x : i32
  llvm.return
}

// -----

llvm.func @ordinary() {
  // expected-error@+1 {{stands in the body of a block graph, but @ordinary is neither}}
  channel.block_sync
  llvm.return
}

// -----

llvm.func @ordinary() {
  // expected-error@+1 {{stands in the body or the links of a block graph, but @ordinary is neither}}
  %x = channel.grid_dim x : i32
  llvm.return
}

// -----

// A branch on a thread's number around a synchronisation.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [64, 1, 1]
}
llvm.func @b.block(%n: i32) attributes {channel.blocks = @g::@b} {
  %lane = channel.thread_id x : i32
  %less = llvm.icmp "slt" %lane, %n : i32
  // expected-note@+1 {{this branch depends on channel.thread_id}}
  llvm.cond_br %less, ^some, ^end
^some:
  // expected-error@+1 {{either all threads of a block come here or none, but lanes diverge at a branch before it; move it behind the place where the paths of that branch meet}}
  channel.block_sync
  llvm.br ^end
^end:
  llvm.return
}

// -----

// Threads that return early do not come to a later synchronisation.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [64, 1, 1]
}
llvm.func @b.block(%n: i32) attributes {channel.blocks = @g::@b} {
  %lane = channel.thread_id x : i32
  %less = llvm.icmp "slt" %lane, %n : i32
  // expected-note@+1 {{this branch depends on channel.thread_id}}
  llvm.cond_br %less, ^go, ^leave
^leave:
  llvm.return
^go:
  // expected-error@+1 {{either all threads of a block come here or none}}
  channel.block_sync
  llvm.return
}

// -----

// The number of iterations is the thread's number.
channel.graph @g {
  channel.blocks @b fields() body @b.block threads [64, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %lane = channel.thread_id x : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  // expected-error@+1 {{either all threads of a block come here or none}}
  channel.block_sync
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %lane : i32
  // expected-note@+1 {{this branch depends on channel.thread_id}}
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// A value that a branch on the thread's number chose decides later, through two arguments.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [64, 1, 1]
}
llvm.func @b.block(%n: i32) attributes {channel.blocks = @g::@b} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %lane = channel.thread_id x : i32
  %less = llvm.icmp "slt" %lane, %n : i32
  llvm.cond_br %less, ^meet(%zero : i32), ^meet(%n : i32)
^meet(%chosen: i32):
  llvm.br ^next(%chosen : i32)
^next(%again: i32):
  %some = llvm.icmp "eq" %again, %zero : i32
  // expected-note@+1 {{this branch depends on channel.thread_id}}
  llvm.cond_br %some, ^wait, ^end
^wait:
  // expected-error@+1 {{either all threads of a block come here or none}}
  channel.block_sync
  llvm.br ^end
^end:
  llvm.return
}

// -----

llvm.func @host(%n: i32) {
  // expected-error@+1 {{launches a block graph (channel.blocks), but @g::@b is none}}
  channel.launch_blocks @g::@b grid(%n)
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32) {
  // expected-error@+1 {{'grid' has one to three extents (x, y, z); found 4}}
  channel.launch_blocks @g::@b grid(%n, %n, %n, %n)
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block threads [1, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @host() {
  // expected-error@+1 {{'grid' has one to three extents (x, y, z); found 0}}
  channel.launch_blocks @g::@b
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block threads [1, 1, 1] starts = [0, 1, 1] children = [1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32) {
  // expected-error@+1 {{the graph has its grid itself, a row of 2 nodes; remove 'grid'}}
  channel.launch_blocks @g::@b grid(%n)
  llvm.return
}

// -----

channel.graph @g {
  // expected-note@+1 {{a block has ('i32')}}
  channel.blocks @b fields(i32) body @b.block threads [1, 1, 1]
}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32, %p: !llvm.ptr) {
  // expected-error@+1 {{fields must match the parameters of the body of @g::@b: ('!llvm.ptr') given}}
  channel.launch_blocks @g::@b grid(%n) (%p : !llvm.ptr)
  llvm.return
}

// -----

// Single blocks are no elements that kernels, the host and dependencies know.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [1, 1, 1]
}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32) {
  // expected-error@+1 {{must name a stack or queue, but @g::@b names none}}
  channel.root @g::@b (%n : i32)
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields(i32) body @b.block threads [1, 1, 1]
  channel.stack @f ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // expected-error@+1 {{a dependency is between stacks of this graph, but @b is none}}
  channel.depend @f.1 on [@b] drained below
}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}

// -----

// Where the launch gives the extents, each thread's number may differ.
channel.graph @g {
  channel.blocks @b fields(i32) body @b.block
}
llvm.func @b.block(%n: i32) attributes {channel.blocks = @g::@b} {
  %y = channel.thread_id y : i32
  %some = llvm.icmp "slt" %y, %n : i32
  // expected-note@+1 {{this branch depends on channel.thread_id}}
  llvm.cond_br %some, ^wait, ^end
^wait:
  // expected-error@+1 {{either all threads of a block come here or none}}
  channel.block_sync
  llvm.br ^end
^end:
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block threads [8, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32) {
  // expected-error@+1 {{the node has the threads of its blocks itself, [8, 1, 1]; remove 'threads'}}
  channel.launch_blocks @g::@b grid(%n) threads(%n)
  llvm.return
}

// -----

channel.graph @g {
  channel.blocks @b fields() body @b.block
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @host(%n: i32) {
  // expected-error@+1 {{'threads' has one to three extents (x, y, z), because the node has none; found 0}}
  channel.launch_blocks @g::@b grid(%n)
  llvm.return
}

// -----

channel.graph @g {
  // expected-error@+1 {{'kernel' must name an llvm.func beside the graph that has the type of the body, '!llvm.func<void (i32)>', but @kernel is none}}
  channel.blocks @b fields(i32) body @b.block kernel @kernel
}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}

// -----

channel.graph @g {
  // expected-error@+1 {{but @kernel has another type}}
  channel.blocks @b fields(i32) body @b.block kernel @kernel
}
llvm.func @b.block(i32) attributes {channel.blocks = @g::@b}
llvm.func @kernel(i64)

// -----

channel.graph @g {
  // expected-error@+1 {{launches of 'kernel' give the parents, the policy and the threads, so a node with a kernel has none of them; remove them, or remove 'kernel'}}
  channel.blocks @b fields() body @b.block kernel @kernel threads [4, 1, 1]
}
llvm.func @b.block() attributes {channel.blocks = @g::@b}
llvm.func @kernel()
