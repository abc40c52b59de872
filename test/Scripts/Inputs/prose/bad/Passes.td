def P : Pass<"p"> {
  let description = [{
    Turns a spawn into a sequential clone.
  }];
  let code = [{ leaf(); }];
}
