# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of what C and C++ have, around `#pragma shmem defer`. Each has one result as docs/defer-pragma.md says."""
