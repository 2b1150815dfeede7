# SPDX-License-Identifier: Apache-2.0

import os
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *

SOURCES = pathlib.Path(__file__).resolve().parents[6]


class Antiphon(CMakePackage):
    """Antiphon is an implementation of MPI 5.0 in C++20, with the standard ABI: programs need
    libmpi_abi.so.1, whichever implementation provides it."""

    # The recipe builds the repository that contains it.
    homepage = SOURCES.as_uri()
    git = SOURCES.as_uri()

    license("Apache-2.0", checked_by="antiphon")

    version("main", branch="main")

    variant("fortran", default=True, description="Build mpif.h and the modules mpi and mpi_f08")
    variant("docs", default=False, description="Install the manual as HTML, too")

    # Procedures that are not implemented are not exported (antiphon-info --missing).
    provides("mpi@:5.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")

    generator("ninja")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.11:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("hwloc@2:")
    depends_on("libsodium")

    depends_on("googletest", type="test")
    depends_on("boost+context", type="test")
    depends_on("cereal", type="test")
    depends_on("libpng", type="test")

    requires("platform=linux")
    requires("target=x86_64:")
    conflicts("%gcc@:11", msg="Antiphon needs C++20 and, for Fortran, gfortran 12")

    @property
    def build_targets(self):
        return ["all", "manual_html"] if self.spec.satisfies("+docs") else ["all"]

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", self.run_tests),
            self.define("ANTIPHON_WERROR", False),
        ]
        if self.spec.satisfies("~fortran"):
            args.append(self.define("fortran_compiler", False))
        return args

    @run_after("install")
    def name_compilers(self):
        """Makes our compiler wrappers call the compilers of this build by their paths. The folder
        of module files is named after Spack's compiler wrapper; a link with the real compiler's
        name is added."""
        compilers = {"mpicc": self["c"].cc, "mpicxx": self["cxx"].cxx}
        if self.spec.satisfies("+fortran"):
            compilers["mpifort"] = self["fortran"].fortran
            with working_dir(join_path(self.prefix.lib, "antiphon-fortran")):
                name = os.path.basename(self["fortran"].fortran)
                if not os.path.exists(name):
                    os.symlink(os.path.basename(spack_fc), name)
        for wrapper, compiler in compilers.items():
            path = join_path(self.prefix.bin, wrapper)
            filter_file(r"^(compiler=\$\{\w+:-).*\}", rf"\1{compiler}}}", path)

    @run_after("install", when="+docs")
    def install_html(self):
        install_tree(join_path(self.build_directory, "html"), self.prefix.share.doc.antiphon.html)

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        for variable, wrapper in self.wrappers().items():
            env.set(variable, wrapper)

    def setup_dependent_build_environment(
        self, env: EnvironmentModifications, dependent_spec: Spec
    ) -> None:
        self.setup_run_environment(env)
        # Our wrappers must call Spack's compiler wrappers when they compile dependents.
        module = dependent_spec.package.module
        for language in ("cc", "cxx", "fc"):
            if hasattr(module, f"spack_{language}"):
                env.set(f"ANTIPHON_{language.upper()}", getattr(module, f"spack_{language}"))

    def setup_dependent_package(self, module, dependent_spec):
        wrappers = self.wrappers()
        self.spec.mpicc = wrappers["MPICC"]
        self.spec.mpicxx = wrappers["MPICXX"]
        if self.spec.satisfies("+fortran"):
            self.spec.mpifc = wrappers["MPIFC"]
            self.spec.mpif77 = wrappers["MPIF77"]

    def wrappers(self):
        """The environment variables through which build systems find compiler wrappers."""
        names = {"MPICC": "mpicc", "MPICXX": "mpicxx"}
        if self.spec.satisfies("+fortran"):
            names.update({"MPIFC": "mpifort", "MPIF90": "mpif90", "MPIF77": "mpif77"})
        return {variable: join_path(self.prefix.bin, name) for variable, name in names.items()}

    def test_languages(self):
        """add up ranks in each language that was built"""
        programs = [("mpicc", "sum.c", "6 by Antiphon"), ("mpicxx", "sum.cpp", "6 in C++20")]
        if self.spec.satisfies("+fortran"):
            programs += [
                ("mpifort", "sum_f08.f90", "6 by mpi_f08"),
                ("mpifort", "sum_mpi.f90", "6 by mpi"),
                ("mpifort", "sum_mpif.f", "6 by mpif.h"),
            ]
        mpiexec = Executable(self.prefix.bin.mpiexec)
        for wrapper, source, expected in programs:
            part = f"test_languages_{source.replace('.', '_')}"
            with test_part(self, part, purpose=f"build {source} by {wrapper} and run it"):
                options = ["-std=c++20"] if wrapper == "mpicxx" else []
                build = Executable(join_path(self.prefix.bin, wrapper))
                build(*options, str(SOURCES / "packaging" / "test" / source), "-o", "sum")
                printed = mpiexec("-n", "4", "./sum", output=str.split, error=str.split)
                assert printed.strip() == expected, f"{printed!r} instead of {expected!r}"
