// SPDX-License-Identifier: BSD-3-Clause
// Shared memory without names: a memfd vanishes with its last user, so nothing can be left behind.
#pragma once

#include <cstddef>
#include <cstdint>

namespace windrow::os {

/// An anonymous shared-memory file of `bytes` zeros, committed page by page on first touch.
/// Closed on exec unless `keep_on_exec`. Throws windrow::error.
int create_shared_memory(std::size_t bytes, bool keep_on_exec);

/// Maps all of it for reading and writing, at `address` exactly when that is not null. Throws windrow::error,
/// naming what stands in the way.
std::byte* map_shared_memory(int fd, std::size_t bytes, void* address);
/// Maps all of it at `address`; null if it cannot be there.
std::byte* try_map_shared_memory(int fd, std::size_t bytes, void* address);

/// Maps `bytes` of the file from `offset` on over the private memory at `begin` (whole pages), which keeps
/// its contents; `alias` is where that part of the file, all zeros as yet, is mapped already. Pages of zeros
/// stay uncommitted. No other thread may write there meanwhile. Throws windrow::error.
void replace_by_shared(std::byte* begin, std::size_t bytes, int fd, std::size_t offset, std::byte* alias);

/// Undoes the sharing: the process goes on with a copy of its own, page by page as it writes there. Never
/// fails; where the system cannot, the memory stays shared.
void replace_by_private(std::byte* begin, std::size_t bytes, int fd, std::size_t offset);

void unmap(std::byte* base, std::size_t bytes);

/// Asks for huge pages where the kernel offers them; never fails.
void prefer_huge_pages(std::byte* base, std::size_t bytes);

/// Whether core dumps have these pages (whole ones); never fails. Those of shared memory that nobody has
/// touched are committed by a dump.
void keep_in_core_dumps(std::byte* base, std::size_t bytes, bool kept);

/// Memory this process may use: physical memory, or the control group's limit when that is smaller.
std::uint64_t usable_memory();

/// The size of the stacks of new threads.
std::size_t default_stack_bytes();

/// What runs on this thread has another stack than the thread, which may grow down to there.
void set_end_of_stack(const std::byte* lowest);
/// The lowest address that the stack of the caller may grow down to; null if that is not known. That of a
/// light thread is not known here.
const std::byte* end_of_stack();

/// How much this process may map at most (ulimit -v).
std::uint64_t address_space_limit();

} // namespace windrow::os
