// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// (under construction)
