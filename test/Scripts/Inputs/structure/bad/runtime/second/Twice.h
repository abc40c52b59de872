int twice(int value);
