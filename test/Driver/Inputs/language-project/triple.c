#include <stdio.h>
int triple_of(int n);
int main(void) { printf("%d\n", triple_of(50)); }
