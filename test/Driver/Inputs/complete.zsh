# Prints how zsh completes lines, in a terminal of its own: complete.zsh FOLDER-OF-COMPLETION FOLDER LINE...
zmodload zsh/zpty
completion=$1 folder=$2
shift 2
zpty shell "env PS1='ready>' PATH=$PATH zsh -f -i"
expect() { # reads until the pattern $1 came
  local more
  out=
  repeat 600; do
    zpty -r -t shell more && out+=$more || sleep 0.1
    [[ $out == ${~1} ]] && return
  done
  print -r -- "no answer: ${(V)out}"
}
expect '*ready>*'
zpty -w shell "fpath=($completion \$fpath); autoload -Uz compinit; compinit -u -d $folder/zcompdump; bindkey '^I' complete-word; unsetopt zle_bracketed_paste; zle_highlight=(none); echo compl''ete"
expect '*complete?*ready>*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\t'
  sleep 1
  zpty -w -n shell $'@END\x15'
  expect '*@END*'
  print -r -- "$line -> ${${(V)out}%@END*}"
done
zpty -d shell
