# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts start ends with them, however they end."""
import ctypes
import signal

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def end_with_parent():
    """For `preexec_fn` of subprocess: SIGTERM when the parent is gone."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
