#!/bin/sh
# A compiler whose program "memory" needs more than the GPU has, and whose others end well.
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
