# Prints how bash completes lines: complete.bash SCRIPT-OF-COMPLETION COMPILER LINE...
source "$1"
compiler=$2
shift 2
for line in "$@"; do
  COMP_LINE=$line COMP_POINT=${#line} COMP_WORDS=("$compiler")
  _cilk2gpu
  echo "$line -> ${COMPREPLY[*]}"
done
