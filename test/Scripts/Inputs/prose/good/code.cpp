// Copyright notices are left as they are, whoever wrote them and however long the sentences are that lawyers find
// necessary to say something that could have been said in a few words by any person who had to pay for each of them.

// RUN: lines and CHECK: lines are for other programs.
// CHECK: sequential clone
const char *text = "// a string is no comment, sequential clone";

/// Returns the number of elements.
///   an example   ->   is indented by two, as a sequential clone
int count(); // trailing comments are read
