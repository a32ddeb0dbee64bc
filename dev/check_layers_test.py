# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import io
import pathlib
import tempfile
import unittest

import check_layers


def complaints(**files):
    """What is said about a tree of files, given as path__to__file_hpp="text"."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, *name.replace("_DOT_", ".").split("__"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.check(pathlib.Path(folder))


class check_layers_test(unittest.TestCase):
    def test_a_room_may_include_itself_what_is_below_and_foreign_headers(self):
        text = '#include "pgas/heap.hpp"\n#include "base/fatal.hpp"\n#include <vector>\n#include "windrow/types.hpp"\n'
        self.assertEqual(complaints(src__pgas__core_DOT_hpp=text), [])

    def test_a_room_above_is_named_with_file_and_line(self):
        found = complaints(src__base__fatal_DOT_cpp='// text\n#include "os/cpu.hpp"\n')
        self.assertEqual(found, ["src/base/fatal.cpp:2: os/cpu.hpp: os is above base"])

    def test_rooms_side_by_side_do_not_know_each_other(self):
        found = complaints(src__actor__mailbox_DOT_hpp='#  include <shmem/record.hpp>')
        self.assertEqual(found, ["src/actor/mailbox.hpp:1: shmem/record.hpp: shmem is beside actor"])

    def test_a_public_header_belongs_to_a_room(self):
        self.assertEqual(len(complaints(src__transport__block_DOT_hpp='#include "windrow/job.hpp"')), 1)
        self.assertEqual(complaints(src__transport__block_test_DOT_cpp='#include "windrow/job.hpp"'), [])

    def test_public_headers_stand_alone(self):
        self.assertEqual(complaints(include__windrow__job_DOT_hpp='#include "windrow/team.hpp"'), [])
        self.assertEqual(len(complaints(include__windrow__job_DOT_hpp='#include "pgas/core.hpp"')), 1)
        self.assertEqual(len(complaints(include__windrow__job_DOT_hpp='#include <fmt/format.h>')), 1)

    def test_public_headers_know_each_other_as_their_rooms_do(self):
        found = complaints(include__windrow__detail__lanes_DOT_hpp='#include "windrow/detail/continuations.hpp"')
        self.assertEqual(found, ["include/windrow/detail/lanes.hpp:1: windrow/detail/continuations.hpp: "
                                 "deferral is above aggregation"])
        self.assertEqual(complaints(include__windrow__context_DOT_hpp='#include "windrow/detail/lanes.hpp"'), [])
        self.assertEqual(complaints(include__windrow__stream_DOT_hpp='#include "windrow/job.hpp"'), [])

    def test_headers_name_no_type_of_a_room_above(self):
        text = "namespace windrow::deferral {\nclass continuations; // text\n}\nnamespace windrow {\nclass job;\n}\n"
        self.assertEqual(complaints(include__windrow__detail__lanes_DOT_hpp=text),
                         ["include/windrow/detail/lanes.hpp:2: names continuations of deferral, which is above aggregation"])
        self.assertEqual(complaints(include__windrow__context_DOT_hpp=text), [])
        inside = "namespace windrow {\nnamespace tasks {\nstruct task;\n}\nclass job;\n}\n"
        self.assertEqual(len(complaints(src__pgas__core_DOT_hpp=inside)), 1)

    def test_a_room_defines_names_in_its_own_namespace(self):
        text = "namespace windrow::pgas {\n// text\ntemplate <class T>\nclass later;\n}\nnamespace windrow {\nnamespace detail {\nint x;\n}\n}\n"
        own = "namespace windrow::os {\nclass later;\nvoid f();\nnamespace {\nint x;\n}\n}\n"
        self.assertEqual(complaints(src__actor__a_DOT_cpp=text, src__os__a_DOT_cpp=own), [])
        self.assertEqual(complaints(src__actor__a_DOT_cpp=own), [
            "src/actor/a.cpp:1: defines names in windrow::os; its room has windrow::actor, users' names windrow and windrow::detail"])
        self.assertEqual(len(complaints(include__windrow__task_DOT_hpp="namespace windrow {\nnamespace pgas {\nint x;\n}\n}\n")), 1)

    def test_the_job_knows_no_room_above_it(self):
        found = complaints(src__job__job_DOT_cpp='#include "job/room.hpp"\n#include "tasks/pool.hpp"\n',
                           include__windrow__job_DOT_hpp="namespace windrow::deferral {\nclass scheduler;\n}\n",
                           src__rooms__rooms_DOT_cpp='#include "tasks/pool.hpp"\n')
        self.assertEqual(found, ["include/windrow/job.hpp:2: names scheduler of deferral, which is above job",
                                 "src/job/job.cpp:2: tasks/pool.hpp: tasks is above job"])

    def test_applications_use_public_headers_only(self):
        self.assertEqual(complaints(apps__gups_DOT_cpp='#include <windrow/windrow.hpp>'), [])
        self.assertEqual(len(complaints(apps__gups_DOT_cpp='#include "aggregation/lane.hpp"')), 1)

    def test_confined_libraries_stay_where_they_are(self):
        self.assertEqual(complaints(tools__info_DOT_cpp='#include <hwloc.h>'), [])
        self.assertEqual(len(complaints(src__os__cpu_DOT_cpp='#include <hwloc.h>')), 1)

    def test_an_unknown_room_has_to_be_given_its_place(self):
        self.assertEqual(len(complaints(src__attic__old_DOT_hpp='#include <vector>')), 1)

    def test_a_pass_knows_what_passes_share_and_no_other_pass(self):
        shared = '#include "compiler/common/api/routines.hpp"\n#include "compiler/inlined/contract.hpp"\n#include <llvm/IR/Module.h>\n'
        self.assertEqual(complaints(compiler__defer__pass_DOT_cpp=shared + '#include "compiler/defer/code.hpp"\n'), [])
        self.assertEqual(complaints(compiler__comm__pass_DOT_cpp=shared + '#include "compiler/defer/code.hpp"\n'),
                         ["compiler/comm/pass.cpp:4: compiler/defer/code.hpp: compiler/comm knows compiler/common and "
                          "compiler/inlined/contract.hpp, not compiler/defer"])
        self.assertEqual(len(complaints(compiler__defer__pass_DOT_cpp='#include "compiler/inlined/blocks.hpp"')), 1)
        self.assertEqual(len(complaints(compiler__common__api__calls_DOT_cpp='#include "compiler/defer/code.hpp"')), 1)
        self.assertEqual(len(complaints(compiler__defer__pass_DOT_cpp='#include "deferral/records.hpp"')), 1)

    def test_only_the_plug_in_knows_all_passes(self):
        self.assertEqual(complaints(compiler__plugin__pipeline_DOT_cpp='#include "compiler/defer/pass.hpp"'), [])
        self.assertEqual(len(complaints(compiler__plugin__pipeline_DOT_cpp='#include "compiler/inlined/blocks.hpp"')), 1)

    def test_code_put_into_programs_knows_the_library_and_no_pass(self):
        self.assertEqual(complaints(compiler__inlined__blocks_DOT_hpp='#include "deferral/records.hpp"\n#include "compiler/inlined/a.hpp"'), [])
        self.assertEqual(len(complaints(compiler__inlined__blocks_DOT_hpp='#include "compiler/defer/code.hpp"\n#include <llvm/IR/IR.h>')), 2)
        self.assertEqual(len(complaints(compiler__inlined__contract_DOT_hpp='#include "compiler/inlined/blocks.hpp"')), 1)

    def test_the_command_fails_when_something_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check_layers.main([folder]), 0)
            pathlib.Path(folder, "apps").mkdir()
            pathlib.Path(folder, "apps", "a.cpp").write_text('#include "os/cpu.hpp"', encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(check_layers.main([folder]), 1)
            self.assertIn("apps/a.cpp:1: os/cpu.hpp", said.getvalue())


if __name__ == "__main__":
    unittest.main()
