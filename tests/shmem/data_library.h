// SPDX-License-Identifier: BSD-3-Clause
#pragma once

extern long library_counter, library_zero;
long* library_hidden(void);
