// Tests every diagnostic of the lane dialect's verifiers.
// RUN: cilk-opt %s --split-input-file --verify-diagnostics

llvm.func @f() {
  // expected-error@+1 {{yields a scalar or a vector, but field 2 is '!llvm.struct<(i32)>'; get its address with lane.address}}
  %s = lane.deq 2 : !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%n: i32) {
  // expected-error@+1 {{needs a value for each field, but has 1 values for 2 fields}}
  %ok = lane.spawn 0 (%n : i32) fields [i32, i32]
  llvm.return
}

// -----

llvm.func @f(%n: i32) {
  // expected-error@+1 {{field 0 of type '!llvm.struct<(i32)>' is given as '!llvm.ptr', but found 'i32'}}
  %ok = lane.spawn 0 (%n : i32) fields [!llvm.struct<(i32)>]
  llvm.return
}

// -----

llvm.func @f(%n: i32, %p: !llvm.ptr) {
  // expected-error@+1 {{field 0 of type 'i64' is given as 'i64', but found 'i32'}}
  %ok = lane.spawn 0 (%n : i32) fields [i64]
  llvm.return
}

// -----

llvm.func @f(%n: i64, %p: !llvm.ptr) {
  // expected-error@+1 {{stores one value or two, but found 3}}
  lane.result %n, %n, %n to %p : i64, i64, i64
  llvm.return
}

// -----

llvm.func @f(%n: i32, %p: !llvm.ptr) {
  // expected-error@+1 {{stores two values of eight bytes each, but found 'i32', 'i32'}}
  lane.result %n, %n to %p : i32, i32
  llvm.return
}

// -----

llvm.func @f(%n: i32, %p: !llvm.ptr) {
  // expected-error@+1 {{folds floating-point values by fadd and integers by the other kinds, but found fadd of 'i32'}}
  lane.accumulate fadd %n into %p : i32
  llvm.return
}

// -----

llvm.func @f(%frame: !llvm.ptr) {
  // expected-error@+1 {{attribute 'segment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  lane.publish 0 %frame
  llvm.return
}
