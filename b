target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%"struct.windrow::shmem::compiled_code_view" = type { ptr, ptr, i64, i64, i32, i8 }

@windrow_defer_view = external local_unnamed_addr global %"struct.windrow::shmem::compiled_code_view", align 8

; Function Attrs: nounwind uwtable
define dso_local i64 @total(ptr noundef %ctx, ptr noundef %values, i64 noundef %n) local_unnamed_addr #0 {
version:
  %sum = alloca i64, align 8
  %0 = tail call i32 @windrow_defer_is_possible() #2
  %.not = icmp eq i32 %0, 0
  br i1 %.not, label %blocking, label %entry

entry:                                            ; preds = %version
  store i64 0, ptr %sum, align 8, !tbaa !5
  %cmp12 = icmp sgt i64 %n, 0
  br i1 %cmp12, label %piece.lr.ph, label %if.end

piece.lr.ph:                                      ; preds = %entry
  %1 = icmp eq ptr %ctx, null
  %2 = getelementptr inbounds i8, ptr %ctx, i64 12
  %3 = getelementptr inbounds i8, ptr %ctx, i64 8
  %4 = getelementptr inbounds i8, ptr %ctx, i64 4
  br label %piece

piece:                                            ; preds = %piece.lr.ph, %windrow_defer_block.finish.exit
  %i.013 = phi i64 [ 0, %piece.lr.ph ], [ %end, %windrow_defer_block.finish.exit ]
  %5 = sub i64 %n, %i.013
  %count = call i64 @llvm.umin.i64(i64 %5, i64 256)
  %arrayidx2 = getelementptr inbounds i64, ptr %values, i64 %i.013
  %end = add i64 %count, %i.013
  %6 = load i8, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 36), align 4, !range !9, !noundef !10
  %7 = trunc nuw i8 %6 to i1
  %8 = load ptr, ptr @windrow_defer_view, align 8
  %9 = icmp ne ptr %8, null
  %10 = select i1 %7, i1 %9, i1 false
  br i1 %10, label %11, label %windrow_inlined_open_near_range_i64.exit

11:                                               ; preds = %piece
  %12 = load ptr, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 8), align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 32
  %14 = load ptr, ptr %13, align 8
  %.not.i10 = icmp eq ptr %14, null
  br i1 %.not.i10, label %22, label %15

15:                                               ; preds = %11
  %16 = load ptr, ptr %12, align 8
  %17 = ptrtoint ptr %16 to i64
  %18 = ptrtoint ptr %14 to i64
  %19 = sub i64 %17, %18
  %20 = icmp ugt i64 %19, 4096
  br i1 %20, label %21, label %22, !prof !11

21:                                               ; preds = %15
  call void @windrow_defer_run_ready() #2
  br label %22

22:                                               ; preds = %21, %15, %11
  %23 = getelementptr inbounds i8, ptr %12, i64 8
  %24 = load ptr, ptr %23, align 8
  %25 = load ptr, ptr %12, align 8
  %26 = ptrtoint ptr %24 to i64
  %27 = ptrtoint ptr %25 to i64
  %28 = sub i64 %26, %27
  %29 = icmp ult i64 %28, 80
  br i1 %29, label %windrow_inlined_open_near_range_i64.exit, label %30

30:                                               ; preds = %22
  br i1 %1, label %44, label %31

31:                                               ; preds = %30
  %32 = load i8, ptr %2, align 4, !range !9, !noundef !10
  %33 = trunc nuw i8 %32 to i1
  br i1 %33, label %34, label %44

34:                                               ; preds = %31
  %35 = load i32, ptr %3, align 8
  %36 = icmp ugt i32 %35, 1
  br i1 %36, label %37, label %44

37:                                               ; preds = %34
  %38 = load i32, ptr %ctx, align 8
  %39 = load i32, ptr %4, align 4
  %40 = add nsw i32 %39, %38
  %41 = ptrtoint ptr %arrayidx2 to i64
  %42 = load i64, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 16), align 8
  %43 = sub i64 %41, %42
  br label %44

44:                                               ; preds = %37, %34, %31, %30
  %45 = phi i64 [ undef, %30 ], [ %43, %37 ], [ undef, %34 ], [ undef, %31 ]
  %46 = phi i32 [ undef, %30 ], [ %40, %37 ], [ undef, %34 ], [ undef, %31 ]
  %47 = phi i1 [ false, %30 ], [ true, %37 ], [ false, %34 ], [ false, %31 ]
  br i1 %47, label %48, label %windrow_inlined_open_near_range_i64.exit

48:                                               ; preds = %44
  %49 = call i64 @llvm.fshl.i64(i64 %45, i64 %45, i64 61)
  %50 = load ptr, ptr @windrow_defer_view, align 8
  %51 = getelementptr inbounds i8, ptr %50, i64 3232
  %52 = load i64, ptr %51, align 8
  %53 = icmp ult i64 %49, %52
  %54 = add nsw i64 %count, -1
  %55 = sub i64 %52, %49
  %56 = icmp ult i64 %54, %55
  %57 = and i1 %53, %56
  br i1 %57, label %58, label %windrow_inlined_open_near_range_i64.exit

58:                                               ; preds = %48
  %59 = load i32, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 32), align 8
  %60 = sub nsw i32 %46, %59
  %61 = sext i32 %60 to i64
  %62 = load i64, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 24), align 8
  %63 = mul nsw i64 %62, %61
  %64 = getelementptr inbounds i8, ptr %arrayidx2, i64 %63
  %65 = shl nuw nsw i64 %count, 3
  %66 = call i64 @llvm.umin.i64(i64 %65, i64 512)
  %67 = icmp eq i64 %i.013, %n
  br i1 %67, label %.loopexit, label %.preheader

.preheader:                                       ; preds = %58, %.preheader
  %68 = phi i64 [ %70, %.preheader ], [ 0, %58 ]
  %69 = getelementptr inbounds i8, ptr %64, i64 %68
  call void @llvm.prefetch.p0(ptr %69, i32 0, i32 3, i32 1)
  %70 = add nuw nsw i64 %68, 64
  %71 = icmp ult i64 %70, %66
  br i1 %71, label %.preheader, label %.loopexit, !llvm.loop !12

.loopexit:                                        ; preds = %.preheader, %58
  %72 = load ptr, ptr getelementptr inbounds (i8, ptr @windrow_defer_view, i64 8), align 8
  %73 = getelementptr inbounds i8, ptr %72, i64 32
  %74 = load ptr, ptr %73, align 8
  %75 = icmp eq ptr %74, null
  br i1 %75, label %97, label %76, !prof !11

76:                                               ; preds = %.loopexit
  %77 = load ptr, ptr %74, align 16
  %78 = icmp eq ptr %77, @total.defer1.0.run
  br i1 %78, label %79, label %83, !prof !15

79:                                               ; preds = %76
  %80 = getelementptr inbounds i8, ptr %74, i64 8
  %81 = load ptr, ptr %80, align 8
  %82 = icmp eq ptr %81, null
  br i1 %82, label %107, label %83, !prof !15

83:                                               ; preds = %79, %76
  %84 = load ptr, ptr %72, align 8
  %85 = ptrtoint ptr %84 to i64
  %86 = ptrtoint ptr %74 to i64
  %87 = sub i64 %85, %86
  %88 = trunc i64 %87 to i32
  %89 = getelementptr inbounds i8, ptr %74, i64 16
  store i32 %88, ptr %89, align 16
  %90 = load ptr, ptr %73, align 8
  %91 = getelementptr inbounds i8, ptr %90, i64 16
  %92 = load i32, ptr %91, align 16
  %93 = add i32 %92, 15
  %94 = and i32 %93, -16
  %95 = zext i32 %94 to i64
  %96 = getelementptr inbounds i8, ptr %90, i64 %95
  store ptr %96, ptr %72, align 8
  store ptr null, ptr %73, align 8
  br label %97

97:                                               ; preds = %83, %.loopexit
  %98 = load ptr, ptr %72, align 8
  %99 = getelementptr inbounds i8, ptr %98, i64 64
  store ptr %99, ptr %72, align 8
  store ptr @total.defer1.0.run, ptr %98, align 16
  %100 = getelementptr inbounds i8, ptr %98, i64 8
  store ptr null, ptr %100, align 8
  %101 = getelementptr inbounds i8, ptr %98, i64 16
  store i32 64, ptr %101, align 16
  %102 = getelementptr inbounds i8, ptr %98, i64 20
  store i16 0, ptr %102, align 4
  %103 = getelementptr inbounds i8, ptr %98, i64 22
  store i16 3, ptr %103, align 2
  %104 = getelementptr inbounds i8, ptr %98, i64 24
  store i32 1, ptr %104, align 8
  %105 = getelementptr inbounds i8, ptr %98, i64 28
  store i32 0, ptr %105, align 4
  %106 = getelementptr inbounds i8, ptr %98, i64 32
  store ptr %98, ptr %73, align 8
  store ptr %106, ptr %72, align 8
  br label %107

107:                                              ; preds = %97, %79
  %108 = load ptr, ptr %72, align 8, !nonnull !10, !noundef !10
  %109 = getelementptr inbounds i8, ptr %108, i64 32
  store ptr %109, ptr %72, align 8
  %110 = getelementptr inbounds i8, ptr %108, i64 24
  store ptr %64, ptr %110, align 1
  br label %windrow_inlined_open_near_range_i64.exit

windrow_inlined_open_near_range_i64.exit:         ; preds = %piece, %22, %44, %48, %107
  %111 = phi ptr [ %108, %107 ], [ null, %48 ], [ null, %44 ], [ null, %22 ], [ null, %piece ]
  %.not.i.not = icmp eq ptr %111, null
  br i1 %.not.i.not, label %call.i, label %windrow_defer_range.get64.exit

call.i:                                           ; preds = %windrow_inlined_open_near_range_i64.exit
  %112 = shl nuw nsw i64 %count, 3
  %113 = add nuw nsw i64 %112, 32
  %rec.i = call ptr @windrow_defer_open(ptr %ctx, ptr nonnull @total.defer1.0.single, i64 %113, ptr null, i32 0) #2
  %114 = getelementptr inbounds i8, ptr %rec.i, i64 32
  %115 = getelementptr inbounds i8, ptr %rec.i, i64 24
  store ptr %114, ptr %115, align 8
  call void @windrow_defer_ctx_get64(ptr %ctx, ptr %rec.i, ptr nonnull %114, ptr %arrayidx2, i64 %count, i32 1) #2
  br label %windrow_defer_range.get64.exit

windrow_defer_range.get64.exit:                   ; preds = %windrow_inlined_open_near_range_i64.exit, %call.i
  %116 = phi ptr [ %111, %windrow_inlined_open_near_range_i64.exit ], [ %rec.i, %call.i ]
  %117 = getelementptr inbounds i8, ptr %116, i64 16
  store i64 %end, ptr %117, align 8
  %118 = getelementptr inbounds i8, ptr %116, i64 8
  store i64 %i.013, ptr %118, align 8
  store ptr %sum, ptr %116, align 8
  br i1 %.not.i.not, label %call.i9, label %windrow_defer_block.finish.exit

call.i9:                                          ; preds = %windrow_defer_range.get64.exit
  call void @windrow_defer_commit(ptr nonnull %116) #2
  br label %windrow_defer_block.finish.exit

windrow_defer_block.finish.exit:                  ; preds = %windrow_defer_range.get64.exit, %call.i9
  %cmp = icmp slt i64 %end, %n
  br i1 %cmp, label %piece, label %if.end

common.ret:                                       ; preds = %total.blocking.exit, %if.end
  %common.ret.op = phi i64 [ %119, %if.end ], [ %sum.0.lcssa.i, %total.blocking.exit ]
  ret i64 %common.ret.op

if.end:                                           ; preds = %windrow_defer_block.finish.exit, %entry
  call void @shmem_ctx_quiet(ptr noundef %ctx) #2
  %119 = load i64, ptr %sum, align 8, !tbaa !5
  br label %common.ret

blocking:                                         ; preds = %version
  %cmp5.i = icmp sgt i64 %n, 0
  br i1 %cmp5.i, label %for.body.i, label %total.blocking.exit

for.body.i:                                       ; preds = %blocking, %for.body.i
  %i.07.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %blocking ]
  %sum.06.i = phi i64 [ %add.i, %for.body.i ], [ 0, %blocking ]
  %arrayidx.i = getelementptr inbounds i64, ptr %values, i64 %i.07.i
  %call.i11 = tail call i64 @shmem_ctx_int64_g(ptr noundef %ctx, ptr noundef %arrayidx.i, i32 noundef 1) #2
  %add.i = add nsw i64 %call.i11, %sum.06.i
  %inc.i = add nuw nsw i64 %i.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %n
  br i1 %exitcond.not.i, label %total.blocking.exit, label %for.body.i, !llvm.loop !16

total.blocking.exit:                              ; preds = %for.body.i, %blocking
  %sum.0.lcssa.i = phi i64 [ 0, %blocking ], [ %add.i, %for.body.i ]
  tail call void @shmem_ctx_quiet(ptr noundef %ctx) #2
  br label %common.ret
}

declare i64 @shmem_ctx_int64_g(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #1

declare void @shmem_ctx_quiet(ptr noundef) local_unnamed_addr #1

declare ptr @windrow_defer_open(ptr, ptr, i64, ptr, i32) local_unnamed_addr

declare void @windrow_defer_ctx_get64(ptr, ptr, ptr, ptr, i64, i32) local_unnamed_addr

; Function Attrs: nounwind
define internal i32 @total.defer1.0.run(ptr %0) #2 {
entry:
  %1 = getelementptr inbounds i8, ptr %0, i64 16
  %2 = load ptr, ptr %1, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 32
  %4 = load ptr, ptr %3, align 8
  %5 = icmp ne ptr %4, %2
  %6 = icmp eq ptr %4, null
  %7 = or i1 %5, %6
  br i1 %7, label %22, label %8

8:                                                ; preds = %entry
  %9 = load ptr, ptr %0, align 8
  %10 = ptrtoint ptr %9 to i64
  %11 = ptrtoint ptr %4 to i64
  %12 = sub i64 %10, %11
  %13 = trunc i64 %12 to i32
  %14 = getelementptr inbounds i8, ptr %4, i64 16
  store i32 %13, ptr %14, align 16
  %15 = load ptr, ptr %3, align 8
  %16 = getelementptr inbounds i8, ptr %15, i64 16
  %17 = load i32, ptr %16, align 16
  %18 = add i32 %17, 15
  %19 = and i32 %18, -16
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds i8, ptr %15, i64 %20
  store ptr %21, ptr %0, align 8
  store ptr null, ptr %3, align 8
  br label %22

22:                                               ; preds = %8, %entry
  %23 = getelementptr inbounds i8, ptr %2, i64 16
  %24 = load i32, ptr %23, align 16
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds i8, ptr %2, i64 %25
  %27 = icmp eq i32 %24, 32
  br i1 %27, label %windrow_inlined_run_batch.exit, label %.preheader.preheader

.preheader.preheader:                             ; preds = %22
  %28 = getelementptr inbounds i8, ptr %2, i64 32
  br label %.preheader

.preheader:                                       ; preds = %.preheader.preheader, %total.defer1.0.exit.i
  %29 = phi ptr [ %37, %total.defer1.0.exit.i ], [ %28, %.preheader.preheader ]
  %sum.ref.i.i = load ptr, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %29, i64 24
  %values2.i.i = load ptr, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %29, i64 8
  %captured.i.i = load i64, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %29, i64 16
  %captured1.i.i = load i64, ptr %32, align 8
  %33 = icmp slt i64 %captured.i.i, %captured1.i.i
  br i1 %33, label %for.body.i.i, label %total.defer1.0.exit.i

for.body.i.i:                                     ; preds = %.preheader, %for.body.i.i
  %i.0.i.i1 = phi i64 [ %inc.i.i, %for.body.i.i ], [ %captured.i.i, %.preheader ]
  %34 = sub i64 %i.0.i.i1, %captured.i.i
  %35 = getelementptr inbounds i64, ptr %values2.i.i, i64 %34
  %call.i.i = load atomic i64, ptr %35 monotonic, align 8
  %36 = load i64, ptr %sum.ref.i.i, align 8, !tbaa !5
  %add.i.i = add nsw i64 %36, %call.i.i
  store i64 %add.i.i, ptr %sum.ref.i.i, align 8, !tbaa !5
  %inc.i.i = add nsw i64 %i.0.i.i1, 1
  %exitcond.not = icmp eq i64 %inc.i.i, %captured1.i.i
  br i1 %exitcond.not, label %total.defer1.0.exit.i, label %for.body.i.i, !llvm.loop !17

total.defer1.0.exit.i:                            ; preds = %for.body.i.i, %.preheader
  %37 = getelementptr inbounds i8, ptr %29, i64 32
  %38 = icmp eq ptr %37, %26
  br i1 %38, label %windrow_inlined_run_batch.exit, label %.preheader, !llvm.loop !18

windrow_inlined_run_batch.exit:                   ; preds = %total.defer1.0.exit.i, %22
  %gepdiff.i = add nuw nsw i64 %25, 137438953440
  %39 = lshr i64 %gepdiff.i, 5
  %40 = trunc i64 %39 to i32
  tail call void @windrow_defer_remove(ptr noundef nonnull %0) #2
  ret i32 %40
}

declare void @windrow_defer_commit(ptr) local_unnamed_addr

; Function Attrs: alwaysinline nofree norecurse nounwind memory(readwrite, inaccessiblemem: none) uwtable
define internal fastcc void @total.defer1.0(ptr nocapture readonly %rec) unnamed_addr #3 {
entry:
  %sum.ref = load ptr, ptr %rec, align 8
  %0 = getelementptr inbounds i8, ptr %rec, i64 24
  %values2 = load ptr, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %rec, i64 8
  %captured = load i64, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %rec, i64 16
  %captured1 = load i64, ptr %2, align 8
  %3 = icmp slt i64 %captured, %captured1
  br i1 %3, label %for.body, label %join

join:                                             ; preds = %for.body, %entry
  ret void

for.body:                                         ; preds = %entry, %for.body
  %i.03 = phi i64 [ %inc, %for.body ], [ %captured, %entry ]
  %4 = sub i64 %i.03, %captured
  %5 = getelementptr inbounds i64, ptr %values2, i64 %4
  %call = load atomic i64, ptr %5 monotonic, align 8
  %6 = load i64, ptr %sum.ref, align 8, !tbaa !5
  %add = add nsw i64 %6, %call
  store i64 %add, ptr %sum.ref, align 8, !tbaa !5
  %inc = add nsw i64 %i.03, 1
  %exitcond.not = icmp eq i64 %inc, %captured1
  br i1 %exitcond.not, label %join, label %for.body, !llvm.loop !17
}

; Function Attrs: cold nofree norecurse nounwind memory(readwrite, inaccessiblemem: none)
define internal void @total.defer1.0.single(ptr nocapture readonly %0) #4 {
entry:
  tail call fastcc void @total.defer1.0(ptr %0) #7
  ret void
}

declare i32 @windrow_defer_is_possible() local_unnamed_addr

declare void @windrow_defer_run_ready() local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr nocapture readonly, i32 immarg, i32 immarg, i32 immarg) #6

declare void @windrow_defer_remove(ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind uwtable "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind }
attributes #3 = { alwaysinline nofree norecurse nounwind memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { cold nofree norecurse nounwind memory(readwrite, inaccessiblemem: none) }
attributes #5 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #7 = { noinline }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.linker.options = !{}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{i8 0, i8 2}
!10 = !{}
!11 = !{!"branch_weights", !"expected", i32 1, i32 2000}
!12 = distinct !{!12, !13, !14}
!13 = !{!"llvm.loop.mustprogress"}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = !{!"branch_weights", !"expected", i32 2000, i32 1}
!16 = distinct !{!16, !13, !14}
!17 = distinct !{!17, !13, !14}
!18 = distinct !{!18, !13, !14}
