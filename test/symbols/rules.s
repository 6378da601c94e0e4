.text
.globl main, stop
.type main, @function
main:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call in_register
	ud2
	.cfi_endproc
.size main, . - main
# the return address is in r13, and rbp in r12
.type in_register, @function
in_register: .cfi_startproc
	mov %rbp, %r12
	.cfi_register %rbp, %r12
	pop %r13
	.cfi_register %rip, %r13
	mov %rsp, %rbp
	.cfi_def_cfa %rbp, 0
	sub $40, %rsp
	call by_value
	ud2
	.cfi_endproc
.size in_register, . - in_register
# the caller's rbp was so far above the CFA, by DW_CFA_val_offset
.type by_value, @function
by_value: .cfi_startproc
	.cfi_val_offset %rbp, 40
	.cfi_remember_state
	push $0
	mov %rsp, %rbp
	.cfi_def_cfa %rbp, 16
	sub $40, %rsp
	call by_value_expression
	ud2
	.cfi_restore_state
	.cfi_endproc
.size by_value, . - by_value
# and here by DW_CFA_val_expression: DW_OP_plus_uconst 40
.type by_value_expression, @function
by_value_expression: .cfi_startproc
	.cfi_escape 0x16, 6, 2, 0x23, 40
	xor %ebp, %ebp
	call stop
	ud2
	.cfi_endproc
.size by_value_expression, . - by_value_expression
.type stop, @function
stop:	.cfi_startproc
	ret
	.cfi_endproc
.size stop, . - stop
.section .note.GNU-stack, "", @progbits
