#!/bin/sh
# A compiler that makes a program "memory", which needs memory that the GPU cannot reach, and other programs, which
# succeed.
target= name=
while [ $# -gt 0 ]; do
  case $1 in
  -o) target=$2; shift ;;
  *.c) name=$(basename "$1" .c) ;;
  esac
  shift
done
cat >"$target" <<'PROGRAM'
#!/bin/sh
[ "$CILK2GPU_DEVICE" = cuda ] || exit 0
case $0 in
*/memory*)
  echo 'cilk2gpu: error: a task on the GPU allocates memory, but the device does not reach pageable memory, so that it could not' >&2
  exit 1 ;;
esac
PROGRAM
chmod +x "$target"
