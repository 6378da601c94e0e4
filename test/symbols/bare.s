.text
.globl main
.macro function name, calls, frame
.type \name, @function
\name:
.ifnb \frame
	push %rbp
	mov %rsp, %rbp
.else
	sub $24, %rsp
.endif
	call \calls
.ifnb \frame
	pop %rbp
.else
	add $24, %rsp
.endif
	ret
.size \name, . - \name
.endm
.type main, @function
main:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call first
	pop %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
.size main, . - main
function first, second, frame
function second, third, frame
function third, fourth
function fourth, stop, frame
.type stop, @function
stop:	.cfi_startproc
	nop
	ret
	.cfi_endproc
.size stop, . - stop
.section .note.GNU-stack, "", @progbits
