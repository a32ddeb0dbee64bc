	.text
	.file	"preprocessed.c"
	.globl	total                           # -- Begin function total
	.p2align	4, 0x90
	.type	total,@function
total:                                  # @total
	.cfi_startproc
# %bb.0:                                # %version
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$40, %rsp
	.cfi_def_cfa_offset 96
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rdx, %r14
	movq	%rsi, %r15
	movq	%rdi, %rbx
	callq	windrow_defer_is_possible@PLT
	testl	%eax, %eax
	je	.LBB0_27
# %bb.1:                                # %entry
	movq	%rbx, (%rsp)                    # 8-byte Spill
	movq	$0, 24(%rsp)
	testq	%r14, %r14
	jle	.LBB0_25
# %bb.2:                                # %piece.lr.ph
	xorl	%ebx, %ebx
	movq	windrow_defer_view@GOTPCREL(%rip), %r13
	movq	%r14, 32(%rsp)                  # 8-byte Spill
	.p2align	4, 0x90
.LBB0_3:                                # %piece
                                        # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_14 Depth 2
	movq	%r14, %rbp
	subq	%rbx, %rbp
	cmpq	$256, %rbp                      # imm = 0x100
	movl	$256, %eax                      # imm = 0x100
	cmovaeq	%rax, %rbp
	leaq	(%r15,%rbx,8), %rdi
	leaq	(%rbx,%rbp), %rax
	movq	%rax, 16(%rsp)                  # 8-byte Spill
	cmpb	$1, 36(%r13)
	jne	.LBB0_23
# %bb.4:                                # %piece
                                        #   in Loop: Header=BB0_3 Depth=1
	cmpq	$0, (%r13)
	je	.LBB0_23
# %bb.5:                                #   in Loop: Header=BB0_3 Depth=1
	movq	8(%r13), %r12
	movq	(%r12), %rax
	movq	32(%r12), %rcx
	testq	%rcx, %rcx
	setne	%dl
	movq	%rax, %rsi
	subq	%rcx, %rsi
	cmpq	$4097, %rsi                     # imm = 0x1001
	setae	%cl
	andb	%dl, %cl
	cmpb	$1, %cl
	je	.LBB0_6
# %bb.7:                                #   in Loop: Header=BB0_3 Depth=1
	cmpq	$0, (%rsp)                      # 8-byte Folded Reload
	je	.LBB0_23
.LBB0_8:                                #   in Loop: Header=BB0_3 Depth=1
	movq	8(%r12), %rcx
	subq	%rax, %rcx
	cmpq	$80, %rcx
	jb	.LBB0_23
# %bb.9:                                #   in Loop: Header=BB0_3 Depth=1
	movq	(%rsp), %rax                    # 8-byte Reload
	cmpb	$1, 12(%rax)
	jne	.LBB0_23
# %bb.10:                               #   in Loop: Header=BB0_3 Depth=1
	movq	(%rsp), %rax                    # 8-byte Reload
	cmpl	$2, 8(%rax)
	jb	.LBB0_23
# %bb.11:                               #   in Loop: Header=BB0_3 Depth=1
	movq	%rdi, %rcx
	subq	16(%r13), %rcx
	rolq	$61, %rcx
	movq	(%r13), %rax
	movq	3232(%rax), %rax
	subq	%rcx, %rax
	jbe	.LBB0_23
# %bb.12:                               #   in Loop: Header=BB0_3 Depth=1
	leaq	-1(%rbp), %rcx
	cmpq	%rax, %rcx
	jae	.LBB0_23
# %bb.13:                               #   in Loop: Header=BB0_3 Depth=1
	movq	(%rsp), %rcx                    # 8-byte Reload
	movl	(%rcx), %eax
	addl	4(%rcx), %eax
	subl	32(%r13), %eax
	cltq
	imulq	24(%r13), %rax
	addq	%rax, %rdi
	shlq	$3, %rbp
	cmpq	$512, %rbp                      # imm = 0x200
	movl	$512, %eax                      # imm = 0x200
	cmovaeq	%rax, %rbp
	xorl	%eax, %eax
	.p2align	4, 0x90
.LBB0_14:                               #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	prefetcht0	(%rdi,%rax)
	addq	$64, %rax
	cmpq	%rbp, %rax
	jb	.LBB0_14
# %bb.15:                               #   in Loop: Header=BB0_3 Depth=1
	movq	8(%r13), %rax
	movq	32(%rax), %rcx
	testq	%rcx, %rcx
	je	.LBB0_16
# %bb.17:                               #   in Loop: Header=BB0_3 Depth=1
	leaq	total.defer1.0.run(%rip), %rdx
	cmpq	%rdx, (%rcx)
	movq	16(%rsp), %rbp                  # 8-byte Reload
	jne	.LBB0_20
# %bb.18:                               #   in Loop: Header=BB0_3 Depth=1
	cmpq	$0, 8(%rcx)
	jne	.LBB0_20
# %bb.19:                               # %.windrow_defer_range.get64.exit.thread_crit_edge
                                        #   in Loop: Header=BB0_3 Depth=1
	movq	(%rax), %rcx
.LBB0_22:                               # %windrow_defer_range.get64.exit.thread
                                        #   in Loop: Header=BB0_3 Depth=1
	leaq	32(%rcx), %rdx
	movq	%rdx, (%rax)
	movq	%rdi, 24(%rcx)
	movq	%rbp, 16(%rcx)
	movq	%rbx, 8(%rcx)
	leaq	24(%rsp), %rax
	movq	%rax, (%rcx)
	jmp	.LBB0_24
.LBB0_6:                                #   in Loop: Header=BB0_3 Depth=1
	movq	%rdi, 8(%rsp)                   # 8-byte Spill
	callq	windrow_defer_run_ready@PLT
	movq	8(%rsp), %rdi                   # 8-byte Reload
	movq	(%r12), %rax
	cmpq	$0, (%rsp)                      # 8-byte Folded Reload
	jne	.LBB0_8
	.p2align	4, 0x90
.LBB0_23:                               # %call.i9
                                        #   in Loop: Header=BB0_3 Depth=1
	leaq	32(,%rbp,8), %rdx
	movq	%rbx, 8(%rsp)                   # 8-byte Spill
	movq	%r13, %r14
	movq	%r15, %r13
	movq	(%rsp), %r15                    # 8-byte Reload
	movq	%rdi, %rbx
	movq	%r15, %rdi
	leaq	total.defer1.0.single(%rip), %rsi
	xorl	%ecx, %ecx
	xorl	%r8d, %r8d
	callq	windrow_defer_open@PLT
	movq	%rax, %r12
	leaq	32(%rax), %rdx
	movq	%rdx, 24(%rax)
	movq	%r15, %rdi
	movq	%r13, %r15
	movq	%r14, %r13
	movq	32(%rsp), %r14                  # 8-byte Reload
	movq	%rax, %rsi
	movq	%rbx, %rcx
	movq	%rbp, %r8
	movl	$1, %r9d
	callq	windrow_defer_ctx_get64@PLT
	movq	16(%rsp), %rbp                  # 8-byte Reload
	movq	%rbp, 16(%r12)
	movq	8(%rsp), %rax                   # 8-byte Reload
	movq	%rax, 8(%r12)
	leaq	24(%rsp), %rax
	movq	%rax, (%r12)
	movq	%r12, %rdi
	callq	windrow_defer_commit@PLT
.LBB0_24:                               # %windrow_defer_block.finish.exit
                                        #   in Loop: Header=BB0_3 Depth=1
	movq	%rbp, %rbx
	cmpq	%r14, %rbp
	jl	.LBB0_3
	jmp	.LBB0_25
.LBB0_20:                               #   in Loop: Header=BB0_3 Depth=1
	movl	(%rax), %edx
	subl	%ecx, %edx
	movl	%edx, 16(%rcx)
	movq	32(%rax), %rdx
	movl	16(%rdx), %ecx
	addl	$15, %ecx
	andl	$-16, %ecx
	addq	%rdx, %rcx
	movq	%rcx, (%rax)
	jmp	.LBB0_21
.LBB0_16:                               # %._crit_edge
                                        #   in Loop: Header=BB0_3 Depth=1
	movq	(%rax), %rcx
	movq	16(%rsp), %rbp                  # 8-byte Reload
.LBB0_21:                               #   in Loop: Header=BB0_3 Depth=1
	leaq	total.defer1.0.run(%rip), %rdx
	movq	%rdx, (%rcx)
	movq	$0, 8(%rcx)
	movabsq	$844424930132032, %rdx          # imm = 0x3000000000040
	movq	%rdx, 16(%rcx)
	movq	$1, 24(%rcx)
	movq	%rcx, 32(%rax)
	addq	$32, %rcx
	jmp	.LBB0_22
.LBB0_25:                               # %if.end
	movq	(%rsp), %rdi                    # 8-byte Reload
	callq	shmem_ctx_quiet@PLT
	movq	24(%rsp), %r12
	jmp	.LBB0_26
.LBB0_27:                               # %blocking
	xorl	%r12d, %r12d
	testq	%r14, %r14
	jle	.LBB0_29
	.p2align	4, 0x90
.LBB0_28:                               # %for.body.i
                                        # =>This Inner Loop Header: Depth=1
	movq	%rbx, %rdi
	movq	%r15, %rsi
	movl	$1, %edx
	callq	shmem_ctx_int64_g@PLT
	addq	%rax, %r12
	addq	$8, %r15
	decq	%r14
	jne	.LBB0_28
.LBB0_29:                               # %total.blocking.exit
	movq	%rbx, %rdi
	callq	shmem_ctx_quiet@PLT
.LBB0_26:                               # %common.ret
	movq	%r12, %rax
	addq	$40, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end0:
	.size	total, .Lfunc_end0-total
	.cfi_endproc
                                        # -- End function
	.p2align	4, 0x90                         # -- Begin function total.defer1.0.run
	.type	total.defer1.0.run,@function
total.defer1.0.run:                     # @total.defer1.0.run
# %bb.0:                                # %entry
	movq	16(%rdi), %rax
	movq	32(%rdi), %rcx
	cmpq	%rax, %rcx
	setne	%dl
	testq	%rcx, %rcx
	sete	%sil
	orb	%dl, %sil
	jne	.LBB1_2
# %bb.1:
	movl	(%rdi), %edx
	subl	%eax, %edx
	movl	%edx, 16(%rcx)
	movq	32(%rdi), %rcx
	movl	16(%rcx), %edx
	addl	$15, %edx
	andl	$-16, %edx
	addq	%rcx, %rdx
	movq	%rdx, (%rdi)
	movq	$0, 32(%rdi)
.LBB1_2:
	pushq	%r15
	pushq	%r14
	pushq	%r12
	pushq	%rbx
	pushq	%rax
	movl	16(%rax), %ebx
	cmpq	$32, %rbx
	jne	.LBB1_3
.LBB1_14:                               # %windrow_inlined_run_batch.exit
	movabsq	$137438953440, %rax             # imm = 0x1FFFFFFFE0
	addq	%rax, %rbx
	shrq	$5, %rbx
	callq	windrow_defer_remove@PLT
	movl	%ebx, %eax
	addq	$8, %rsp
	popq	%rbx
	popq	%r12
	popq	%r14
	popq	%r15
	retq
.LBB1_3:                                # %.preheader.preheader
	leaq	(%rax,%rbx), %rcx
	addq	$32, %rax
	jmp	.LBB1_4
	.p2align	4, 0x90
.LBB1_13:                               # %total.defer1.0.exit.i
                                        #   in Loop: Header=BB1_4 Depth=1
	addq	$32, %rax
	cmpq	%rcx, %rax
	je	.LBB1_14
.LBB1_4:                                # %.preheader
                                        # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_8 Depth 2
                                        #     Child Loop BB1_12 Depth 2
	movq	8(%rax), %r11
	movq	16(%rax), %rdx
	movq	%r11, %r14
	subq	%rdx, %r14
	jge	.LBB1_13
# %bb.5:                                # %for.body.i.i.preheader
                                        #   in Loop: Header=BB1_4 Depth=1
	movq	(%rax), %rsi
	movq	24(%rax), %r8
	movq	(%rsi), %r9
	movl	%edx, %r15d
	subl	%r11d, %r15d
	andl	$3, %r15d
	je	.LBB1_6
# %bb.7:                                # %for.body.i.i.prol.preheader
                                        #   in Loop: Header=BB1_4 Depth=1
	xorl	%r10d, %r10d
	.p2align	4, 0x90
.LBB1_8:                                # %for.body.i.i.prol
                                        #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	movq	(%r8,%r10,8), %r12
	addq	%r12, %r9
	movq	%r9, (%rsi)
	incq	%r10
	cmpq	%r10, %r15
	jne	.LBB1_8
# %bb.9:                                # %for.body.i.i.prol.loopexit.loopexit
                                        #   in Loop: Header=BB1_4 Depth=1
	addq	%r11, %r10
	cmpq	$-4, %r14
	ja	.LBB1_13
	jmp	.LBB1_11
.LBB1_6:                                #   in Loop: Header=BB1_4 Depth=1
	movq	%r11, %r10
	cmpq	$-4, %r14
	ja	.LBB1_13
.LBB1_11:                               # %for.body.i.i.preheader2
                                        #   in Loop: Header=BB1_4 Depth=1
	shlq	$3, %r11
	subq	%r11, %r8
	addq	$24, %r8
	.p2align	4, 0x90
.LBB1_12:                               # %for.body.i.i
                                        #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	movq	-24(%r8,%r10,8), %r11
	addq	%r9, %r11
	movq	%r11, (%rsi)
	movq	-16(%r8,%r10,8), %r9
	addq	%r11, %r9
	movq	%r9, (%rsi)
	movq	-8(%r8,%r10,8), %r11
	addq	%r9, %r11
	movq	%r11, (%rsi)
	movq	(%r8,%r10,8), %r9
	addq	%r11, %r9
	movq	%r9, (%rsi)
	addq	$4, %r10
	cmpq	%r10, %rdx
	jne	.LBB1_12
	jmp	.LBB1_13
.Lfunc_end1:
	.size	total.defer1.0.run, .Lfunc_end1-total.defer1.0.run
                                        # -- End function
	.p2align	4, 0x90                         # -- Begin function total.defer1.0
	.type	total.defer1.0,@function
total.defer1.0:                         # @total.defer1.0
	.cfi_startproc
# %bb.0:                                # %entry
	movq	8(%rdi), %r8
	movq	16(%rdi), %rax
	movq	%r8, %r9
	subq	%rax, %r9
	jge	.LBB2_9
# %bb.1:                                # %for.body.preheader
	movq	(%rdi), %rcx
	movq	24(%rdi), %rdx
	movq	(%rcx), %rsi
	movl	%eax, %r10d
	subl	%r8d, %r10d
	andl	$3, %r10d
	je	.LBB2_2
# %bb.3:                                # %for.body.prol.preheader
	xorl	%edi, %edi
	.p2align	4, 0x90
.LBB2_4:                                # %for.body.prol
                                        # =>This Inner Loop Header: Depth=1
	movq	(%rdx,%rdi,8), %r11
	addq	%r11, %rsi
	movq	%rsi, (%rcx)
	incq	%rdi
	cmpq	%rdi, %r10
	jne	.LBB2_4
# %bb.5:                                # %for.body.prol.loopexit.loopexit
	addq	%r8, %rdi
	cmpq	$-4, %r9
	jbe	.LBB2_7
	jmp	.LBB2_9
.LBB2_2:
	movq	%r8, %rdi
	cmpq	$-4, %r9
	ja	.LBB2_9
.LBB2_7:                                # %for.body.preheader1
	shlq	$3, %r8
	subq	%r8, %rdx
	addq	$24, %rdx
	.p2align	4, 0x90
.LBB2_8:                                # %for.body
                                        # =>This Inner Loop Header: Depth=1
	movq	-24(%rdx,%rdi,8), %r8
	addq	%rsi, %r8
	movq	%r8, (%rcx)
	movq	-16(%rdx,%rdi,8), %rsi
	addq	%r8, %rsi
	movq	%rsi, (%rcx)
	movq	-8(%rdx,%rdi,8), %r8
	addq	%rsi, %r8
	movq	%r8, (%rcx)
	movq	(%rdx,%rdi,8), %rsi
	addq	%r8, %rsi
	movq	%rsi, (%rcx)
	addq	$4, %rdi
	cmpq	%rdi, %rax
	jne	.LBB2_8
.LBB2_9:                                # %join
	retq
.Lfunc_end2:
	.size	total.defer1.0, .Lfunc_end2-total.defer1.0
	.cfi_endproc
                                        # -- End function
	.section	.text.unlikely.,"ax",@progbits
	.p2align	4, 0x90                         # -- Begin function total.defer1.0.single
	.type	total.defer1.0.single,@function
total.defer1.0.single:                  # @total.defer1.0.single
# %bb.0:                                # %entry
	jmp	total.defer1.0                  # TAILCALL
.Lfunc_end3:
	.size	total.defer1.0.single, .Lfunc_end3-total.defer1.0.single
                                        # -- End function
	.section	".linker-options","e",@llvm_linker_options
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym total.defer1.0.run
	.addrsig_sym total.defer1.0.single
