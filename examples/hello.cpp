// SPDX-License-Identifier: BSD-3-Clause
// Every PE says hello. Start it with: windrow run -n 4 hello
#include <windrow/windrow.hpp>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  std::cout << "Hello from PE " + std::to_string(job.pe()) + " of " + std::to_string(job.pes()) + "\n";
}
