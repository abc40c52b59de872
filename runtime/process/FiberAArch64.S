// Boost.Context's two functions (boost/context/detail/fcontext.hpp) for AArch64, so that the runtime for AArch64 builds
// without Boost. A context is the stack pointer of a side that does not run. The registers that a call preserves, and
// the address at which the side continues, are on its stack.
//
//   sp + 0x00  d8 - d15
//   sp + 0x40  x19 - x28, x29 (frame), x30 (link)
//   sp + 0xa0 address at which the side continues
        .text

// transfer_t jump_fcontext(fcontext_t to, void *data): switches to the side `to`. That side gets {this side, data} in
// x0 and x1, as the result of its own jump_fcontext or as its function's argument.
        .globl  jump_fcontext
        .hidden jump_fcontext
        .type   jump_fcontext, %function
        .p2align 4
jump_fcontext:
        .cfi_startproc
        hint    #34                     // bti c
        sub     sp, sp, #0xb0
        stp     d8, d9, [sp, #0x00]
        stp     d10, d11, [sp, #0x10]
        stp     d12, d13, [sp, #0x20]
        stp     d14, d15, [sp, #0x30]
        stp     x19, x20, [sp, #0x40]
        stp     x21, x22, [sp, #0x50]
        stp     x23, x24, [sp, #0x60]
        stp     x25, x26, [sp, #0x70]
        stp     x27, x28, [sp, #0x80]
        stp     x29, x30, [sp, #0x90]
        str     x30, [sp, #0xa0]
        mov     x9, sp
        mov     sp, x0
        mov     x0, x9
        ldp     d8, d9, [sp, #0x00]
        ldp     d10, d11, [sp, #0x10]
        ldp     d12, d13, [sp, #0x20]
        ldp     d14, d15, [sp, #0x30]
        ldp     x19, x20, [sp, #0x40]
        ldp     x21, x22, [sp, #0x50]
        ldp     x23, x24, [sp, #0x60]
        ldp     x25, x26, [sp, #0x70]
        ldp     x27, x28, [sp, #0x80]
        ldp     x29, x30, [sp, #0x90]
        ldr     x9, [sp, #0xa0]
        add     sp, sp, #0xb0
        ret     x9
        .cfi_endproc
        .size   jump_fcontext, . - jump_fcontext

// fcontext_t make_fcontext(void *top, size_t bytes, void (*function)(transfer_t)): returns a side that will call
// `function`, which never returns, on the stack below `top`. A backtrace ends there, because frame and link are null.
        .globl  make_fcontext
        .hidden make_fcontext
        .type   make_fcontext, %function
        .p2align 4
make_fcontext:
        .cfi_startproc
        hint    #34                     // bti c
        and     x0, x0, #0xfffffffffffffff0
        sub     x0, x0, #0xb0
        stp     xzr, xzr, [x0, #0x90]
        str     x2, [x0, #0xa0]
        ret
        .cfi_endproc
        .size   make_fcontext, . - make_fcontext

        .section .note.GNU-stack, "", %progbits
