long helper(long x) { return x * 3; }
