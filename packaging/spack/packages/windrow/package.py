# SPDX-License-Identifier: BSD-3-Clause
"""Windrow for Spack: `spack repo add packaging/spack`, then `spack install windrow`."""
from spack.package import *


class Windrow(CMakePackage):
    """Plain one-sided code at hand-aggregated speed: a PGAS runtime for irregular programs, with an OpenSHMEM interface."""

    license("BSD-3-Clause")

    # Built from a checkout: `spack dev-build windrow@main`, or `spack develop --path CHECKOUT windrow@main`.
    version("main", branch="main", git="file:///path/to/windrow")

    variant("openmpi", default=False, description="Module for jobs on several hosts under Open MPI")
    variant("mpich", default=False, description="Module for jobs on several hosts under MPICH")
    variant("cereal", default=True, description="Mobile objects of classes with a serialize function")
    variant("plugin", default=False, description="Compiler plug-in for #pragma shmem defer")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:", type="build")
    depends_on("cli11@2:", type="build")
    depends_on("nlohmann-json@3.7:", type="build")
    depends_on("hwloc@2:")
    depends_on("boost@1.61: +context")
    depends_on("openmpi", when="+openmpi")
    depends_on("mpich", when="+mpich")
    depends_on("cereal@1.3:", type=("build", "link"), when="+cereal")
    depends_on("llvm@16:21 +clang", when="+plugin")
    depends_on("python@3.11:", type="build", when="+plugin")

    conflicts("%gcc@:10", msg="Windrow needs C++20")

    def cmake_args(self):
        mpi = [flavour for flavour in ("openmpi", "mpich") if f"+{flavour}" in self.spec]
        return [
            self.define("WINDROW_COMPILER", "on" if "+plugin" in self.spec else "off"),
            self.define("WINDROW_MPI", mpi),
            # Not Spack's wrappers, which build nothing outside Spack.
            self.define("WINDROW_C_COMPILER", self.compiler.cc),
            self.define("WINDROW_CXX_COMPILER", self.compiler.cxx),
        ]
