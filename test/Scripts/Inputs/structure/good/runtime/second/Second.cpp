#include "first/First.h"

const char *text() {
  return R"(
line 0 of a text, with a brace { and a quote "
line 1 of a text, with a brace { and a quote "
line 2 of a text, with a brace { and a quote "
line 3 of a text, with a brace { and a quote "
line 4 of a text, with a brace { and a quote "
line 5 of a text, with a brace { and a quote "
line 6 of a text, with a brace { and a quote "
line 7 of a text, with a brace { and a quote "
line 8 of a text, with a brace { and a quote "
line 9 of a text, with a brace { and a quote "
line 10 of a text, with a brace { and a quote "
line 11 of a text, with a brace { and a quote "
line 12 of a text, with a brace { and a quote "
line 13 of a text, with a brace { and a quote "
line 14 of a text, with a brace { and a quote "
line 15 of a text, with a brace { and a quote "
line 16 of a text, with a brace { and a quote "
line 17 of a text, with a brace { and a quote "
line 18 of a text, with a brace { and a quote "
line 19 of a text, with a brace { and a quote "
line 20 of a text, with a brace { and a quote "
line 21 of a text, with a brace { and a quote "
line 22 of a text, with a brace { and a quote "
line 23 of a text, with a brace { and a quote "
line 24 of a text, with a brace { and a quote "
line 25 of a text, with a brace { and a quote "
line 26 of a text, with a brace { and a quote "
line 27 of a text, with a brace { and a quote "
line 28 of a text, with a brace { and a quote "
line 29 of a text, with a brace { and a quote "
line 30 of a text, with a brace { and a quote "
line 31 of a text, with a brace { and a quote "
line 32 of a text, with a brace { and a quote "
line 33 of a text, with a brace { and a quote "
line 34 of a text, with a brace { and a quote "
line 35 of a text, with a brace { and a quote "
line 36 of a text, with a brace { and a quote "
line 37 of a text, with a brace { and a quote "
line 38 of a text, with a brace { and a quote "
line 39 of a text, with a brace { and a quote "
line 40 of a text, with a brace { and a quote "
line 41 of a text, with a brace { and a quote "
line 42 of a text, with a brace { and a quote "
line 43 of a text, with a brace { and a quote "
line 44 of a text, with a brace { and a quote "
line 45 of a text, with a brace { and a quote "
line 46 of a text, with a brace { and a quote "
line 47 of a text, with a brace { and a quote "
line 48 of a text, with a brace { and a quote "
line 49 of a text, with a brace { and a quote "
line 50 of a text, with a brace { and a quote "
line 51 of a text, with a brace { and a quote "
line 52 of a text, with a brace { and a quote "
line 53 of a text, with a brace { and a quote "
line 54 of a text, with a brace { and a quote "
line 55 of a text, with a brace { and a quote "
line 56 of a text, with a brace { and a quote "
line 57 of a text, with a brace { and a quote "
line 58 of a text, with a brace { and a quote "
line 59 of a text, with a brace { and a quote "
)";
}

// Reason for size: a table in words.
int excused(int value) {
  value += 0;  // { "
  value += 1;  // { "
  value += 2;  // { "
  value += 3;  // { "
  value += 4;  // { "
  value += 5;  // { "
  value += 6;  // { "
  value += 7;  // { "
  value += 8;  // { "
  value += 9;  // { "
  value += 10; // { "
  value += 11; // { "
  value += 12; // { "
  value += 13; // { "
  value += 14; // { "
  value += 15; // { "
  value += 16; // { "
  value += 17; // { "
  value += 18; // { "
  value += 19; // { "
  value += 20; // { "
  value += 21; // { "
  value += 22; // { "
  value += 23; // { "
  value += 24; // { "
  value += 25; // { "
  value += 26; // { "
  value += 27; // { "
  value += 28; // { "
  value += 29; // { "
  value += 30; // { "
  value += 31; // { "
  value += 32; // { "
  value += 33; // { "
  value += 34; // { "
  value += 35; // { "
  value += 36; // { "
  value += 37; // { "
  value += 38; // { "
  value += 39; // { "
  value += 40; // { "
  value += 41; // { "
  value += 42; // { "
  value += 43; // { "
  value += 44; // { "
  value += 45; // { "
  value += 46; // { "
  value += 47; // { "
  value += 48; // { "
  value += 49; // { "
  value += 50; // { "
  value += 51; // { "
  value += 52; // { "
  value += 53; // { "
  value += 54; // { "
  value += 55; // { "
  value += 56; // { "
  value += 57; // { "
  return value;
}

class Members {
public:
  Members(int first, int second) : first{first}, second{second} {
    this->first += 0;
    this->first += 1;
    this->first += 2;
    this->first += 3;
    this->first += 4;
    this->first += 5;
    this->first += 6;
    this->first += 7;
    this->first += 8;
    this->first += 9;
    this->first += 10;
    this->first += 11;
    this->first += 12;
    this->first += 13;
    this->first += 14;
    this->first += 15;
    this->first += 16;
    this->first += 17;
    this->first += 18;
    this->first += 19;
    this->first += 20;
    this->first += 21;
    this->first += 22;
    this->first += 23;
    this->first += 24;
    this->first += 25;
    this->first += 26;
    this->first += 27;
    this->first += 28;
    this->first += 29;
    this->first += 30;
    this->first += 31;
    this->first += 32;
    this->first += 33;
    this->first += 34;
    this->first += 35;
    this->first += 36;
    this->first += 37;
    this->first += 38;
    this->first += 39;
    this->first += 40;
    this->first += 41;
    this->first += 42;
    this->first += 43;
    this->first += 44;
    this->first += 45;
    this->first += 46;
    this->first += 47;
    this->first += 48;
    this->first += 49;
    this->first += 50;
    this->first += 51;
    this->first += 52;
    this->first += 53;
    this->first += 54;
    this->first += 55;
    this->first += 56;
  }

private:
  int first, second;
};

int known(int value) {
  value += 0;
  value += 1;
  value += 2;
  value += 3;
  value += 4;
  value += 5;
  value += 6;
  value += 7;
  value += 8;
  value += 9;
  value += 10;
  value += 11;
  value += 12;
  value += 13;
  value += 14;
  value += 15;
  value += 16;
  value += 17;
  value += 18;
  value += 19;
  value += 20;
  value += 21;
  value += 22;
  value += 23;
  value += 24;
  value += 25;
  value += 26;
  value += 27;
  value += 28;
  value += 29;
  value += 30;
  value += 31;
  value += 32;
  value += 33;
  value += 34;
  value += 35;
  value += 36;
  value += 37;
  value += 38;
  value += 39;
  value += 40;
  value += 41;
  value += 42;
  value += 43;
  value += 44;
  value += 45;
  value += 46;
  value += 47;
  value += 48;
  value += 49;
  value += 50;
  value += 51;
  value += 52;
  value += 53;
  value += 54;
  value += 55;
  value += 56;
  value += 57;
  value += 58;
  value += 59;
  return value;
}
