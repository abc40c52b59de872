// A program with the race detector, which reads its options at the start.
extern "C" bool __cilksan_is_checking_enabled();

int main() { return !__cilksan_is_checking_enabled(); }
