# Completes options of cilk2gpu and cilk2gpu++, and values of options, in bash. The compiler has the list.
_cilk2gpu() {
  local line=${COMP_LINE:0:COMP_POINT} token start="" lines=() words=() word
  token=${line##*[[:space:]]}
  COMPREPLY=()
  if [[ $token == -* ]]; then
    mapfile -t lines < <("${COMP_WORDS[0]/#\~/$HOME}" --autocomplete="$token" 2>/dev/null)
    for word in "${lines[@]}"; do
      word=${word%%$'\t'*}
      [[ -z $word ]] || words+=("$word")
    done
    # bash replaces only what follows the last '=', if '=' separates words.
    [[ $token != *=* || $COMP_WORDBREAKS == *=* ]] || start=${token%%=*}=
    COMPREPLY=($(compgen -P "$start" -W "${words[*]}" -- "${token#*=}"))
    # Words that are no files keep their '=' unquoted.
    [[ ${#COMPREPLY[@]} -eq 0 ]] || compopt +o filenames 2>/dev/null
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  fi
  [[ ${#COMPREPLY[@]} -gt 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "${token#*=}")
}
complete -o filenames -F _cilk2gpu cilk2gpu cilk2gpu++
