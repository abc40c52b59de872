" The keywords of Cilk that C, C++ and .cilk files have in common.
syntax keyword cilkStatement cilk_spawn cilk_sync cilk_scope _Cilk_spawn _Cilk_sync _Cilk_scope
syntax keyword cilkRepeat cilk_for _Cilk_for
syntax keyword cilkModifier cilk_reducer _Hyperobject __WF__ WF_SHARED
highlight default link cilkStatement Statement
highlight default link cilkRepeat Repeat
highlight default link cilkModifier StorageClass
highlight default link cilkConstant Constant
