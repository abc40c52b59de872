set pagination off
break sort.c:23
run
info args
next
print length
print pivot
backtrace
cilk up
delete
break sort.c:34
continue
print offset
print i
print doubled
