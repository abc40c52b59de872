set pagination off
break fib.c:8 if n == 3
run
echo == before the sync\n
print n
info args
info locals
backtrace
info cilk levels
info cilk tasks
cilk stack
cilk up
cilk locals
cilk print n
print $cilk_frame->x
cilk up 2
cilk down
delete
break fib.c:11 if n == 3
continue
echo == after the sync\n
print n
print x
print y
next
print sum
backtrace
cilk up 9
