// SPDX-License-Identifier: BSD-3-Clause
// What the gate uses of src/transport/hook/latency_model.hpp.
#pragma once

namespace windrow::transport {

struct latency_model {
  void give_way() const;
};

} // namespace windrow::transport
