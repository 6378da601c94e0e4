.text
.globl main
.type main, @function
main:	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	lea back(%rip), %rax
	push %rax
	lea victim(%rip), %rax
	push %rax
	jmp restorer
back:	ud2
	.cfi_endproc
.size main, . - main
.type victim, @function
victim:	.cfi_startproc
	ret
	.cfi_endproc
.size victim, . - victim
.type restorer, @function
restorer: .cfi_startproc
	.cfi_signal_frame
	call stop
	ud2
	.cfi_endproc
.size restorer, . - restorer
.type stop, @function
stop:	.cfi_startproc
	ret
	.cfi_endproc
.size stop, . - stop
.section .note.GNU-stack, "", @progbits
