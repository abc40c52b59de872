# Completes options of cilk2gpu and cilk2gpu++, and values of options, in fish. The compiler has the list.
function __cilk2gpu_complete
    set -l token (commandline -ct)
    string match -q -- '-*' $token; or return
    set -l start (string match -r -- '^[^=]*=' $token)
    set -l command (commandline -opc)[1]
    for line in (command $command --autocomplete=$token 2>/dev/null)
        test -n "$line"; and printf '%s%s\n' "$start" $line
    end
end
complete -c cilk2gpu -a '(__cilk2gpu_complete)'
complete -c cilk2gpu++ -a '(__cilk2gpu_complete)'
