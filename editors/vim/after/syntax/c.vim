runtime! cilk-keywords.vim
