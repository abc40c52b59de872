set pagination off
break tree.cpp:25 if range.first == 4 && range.last == 8
run
echo == after the sync\n
info args
print range
print values
print *this
print left
print right
print i
backtrace
info cilk tasks Tree::walk
cilk up
cilk print range.last
