// Tests that cilk_for is refused where it stands, and that the rest of the program is still checked.
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %s
int f(int);
void loop(int n) {
  cilk_for (int i = 0; i < n; ++i) // expected-error {{'cilk_for' is not supported yet; write a for loop that spawns a function with the loop's body, and a sync after it}}
    f(i);
  _Cilk_for (int i = 0; i < n; ++i) // expected-error {{'_Cilk_for' is not supported yet}}
    f(i);
  cilk_spawn n; // expected-error {{a spawn must be a call}} expected-warning {{unused}}
}
