autocmd BufNewFile,BufRead *.cilk,*.cilkh setfiletype cilk
