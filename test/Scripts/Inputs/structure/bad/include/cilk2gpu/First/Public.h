int tooLong(int value);
