// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/worker.hpp"
