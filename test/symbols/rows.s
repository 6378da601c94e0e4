.text
.globl rows
rows:	.cfi_startproc
	nop			# advance_loc, def_cfa_offset
	.cfi_def_cfa_offset 16
	nop			# offset
	.cfi_offset %rbx, -16
	.cfi_offset %r15, -800
	.skip 63
	.cfi_escape 0x05, 6, 3	# offset_extended
	.skip 64		# advance_loc1
	.cfi_escape 0x11, 12, 0x7c	# offset_extended_sf
	.skip 255
	.cfi_undefined %r13
	.skip 256		# advance_loc2
	.cfi_same_value %r13
	.skip 65535
	.cfi_register %r13, %r14
	.skip 65536		# advance_loc4
	.cfi_remember_state
	.cfi_def_cfa %rbp, 24	# def_cfa
	nop
	.cfi_escape 0x12, 3, 0x7e	# def_cfa_sf
	nop
	.cfi_def_cfa_register %rsp
	.cfi_escape 0x13, 0x79	# def_cfa_offset_sf
	nop
	.cfi_escape 0x14, 15, 2	# val_offset
	nop
	.cfi_escape 0x15, 15, 0x7d	# val_offset_sf
	nop
	.cfi_escape 0x2f, 14, 5	# GNU_negative_offset_extended
	nop
	.cfi_restore %rbx	# restore
	nop
	.cfi_escape 0x06, 6	# restore_extended
	nop
	.cfi_remember_state
	.cfi_escape 0x0f, 2, 0x77, 16	# def_cfa_expression
	nop
	.cfi_escape 0x10, 3, 2, 0x77, 8	# expression
	nop
	.cfi_escape 0x16, 6, 2, 0x77, 24	# val_expression
	nop
	.cfi_escape 0x2e, 16	# GNU_args_size
	.cfi_escape 0x2d	# as on aarch64, which changes nothing
	.cfi_def_cfa %rbx, 32	# ends the expression
	nop
	.cfi_restore_state
	nop
	.cfi_restore_state
	nop
	.cfi_escape 0		# nop
	ret
	.cfi_endproc
# what a short row can say, and what it cannot
saved:	.cfi_startproc
	nop
	.cfi_escape 0x0f, 2, 0x77, 16
	nop
	.cfi_def_cfa %rsp, 8
	.cfi_offset %r15, -1024
	nop
	.cfi_offset %r15, -1032
	nop
	.cfi_offset %r15, 1016
	nop
	.cfi_offset %r15, 1024
	nop
	.cfi_offset %r15, -16
	nop
	.cfi_def_cfa_offset 0x7ffffff8
	nop
	.cfi_def_cfa_offset 0x80000000
	nop
	.cfi_def_cfa_offset 16
	.cfi_offset %rax, -24
	.cfi_offset %rdx, -32
	.cfi_offset %rcx, -40
	.cfi_offset %rbx, -48
	.cfi_offset %rsi, -56
	nop
	.cfi_offset %rdi, -64	# the eighth
	nop
	.cfi_offset %rbp, -72
	nop
	.cfi_offset %r8, -80
	ret
	.cfi_endproc
