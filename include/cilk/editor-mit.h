/* <cilk/editor-mit.h>: lets an editor's language server (clangd) read programs in MIT Cilk's dialect (.cilk files). It
   is <cilk/editor.h> with the short keywords. Inlets that are nested functions remain errors in the editor. */
#ifndef CILK2GPU_CILK_EDITOR_MIT_H
#define CILK2GPU_CILK_EDITOR_MIT_H

#include "editor.h"

/* <unistd.h> declares a function named sync: it is read before the word becomes a keyword. */
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#define cilk
#define cilk_main main
#define spawn
#define sync
#define inlet
#define shared
#define SYNCHED 0
#define FILE_IDENTITY(name, text) struct name
#define USE_UNUSED(name) ((void)(name))

#endif
