#!/usr/bin/env python3
"""What antiphon/mpi.hpp refuses to compile, and the sentence that says why.

`misuse_test.py --compiler build/bin/mpicxx`: each program below is wrong in one way, and the compiler must say so in
these words; the right ones beside them must compile, so that nothing is refused for another reason.
"""
import argparse
import concurrent.futures
import shlex
import subprocess
import sys
import unittest

COMPILER = []

DECLARATIONS = r"""
#include <antiphon/mpi.hpp>
#include <antiphon/dynamic_window.hpp>
#include <antiphon/shared_window.hpp>
#include <antiphon/topology.hpp>
#include <list>
#include <map>
#include <optional>
#include <string>
struct point { double x, y; };
struct named { std::string name; int id; };
struct linked { int value; linked* next; };
union either { int i; float f; };
struct hidden { int seen() const { return x; } hidden() {} private: int x = 1; };
struct wide { int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q; };
struct empty {};
struct derived : point { int id; };
struct marked : empty { int id; };
struct nested { derived inner; };
struct owner { int descriptor; ~owner() {} };
void use(antiphon::communicator comm) {
  std::vector<double> values(10);
  const std::vector<double> constant(10);
  const std::vector<MPI_Count> counts(10, 1);
  antiphon::ragged<double> blocks(counts);
  std::vector<double> others(10);
  double one = 1;
  int factor = 2;
  (void)blocks; (void)others; (void)values; (void)constant; (void)one; (void)factor; (void)comm;
"""

RIGHT = [
    "comm.send(values, {.to = 1}); comm.send(one, {.to = 1, .tag = 3}); comm.send(\"text\", {.to = 1});",
    "comm.recv(values, {.from = 0}); values = comm.recv<std::vector<double>>({.from = antiphon::any_source});",
    "auto sent = comm.isend(std::move(values), {.to = 1}); values = sent.get();",
    "auto sent = comm.isend(std::span(constant), {.to = 1}); auto got = comm.irecv(std::span(values), {.from = 1});",
    "comm.send(std::span(&one, 1), {.to = 1}); comm.send(point{1, 2}, {.to = 1});",
    "auto sending = comm.send_init(std::move(values), {.to = 1}); sending.start(); sending.wait(); sending.buffer()[0] = 1;",
    "auto parts = comm.psend_init(std::span(constant), {.to = 1, .partitions = 2}); parts.start(); parts.ready(1);",
    "one = comm.allreduce(one, [](double a, double b) { return a * b; });",
    "one = comm.allreduce(one, [=](double a, double b) { return factor * a * b; });",
    "auto sum = comm.ireduce(one, [=](double a, double b) { return factor * a * b; }); sum.wait();",
    "auto all = comm.igather(std::move(values)); values = all.get();",
    "auto all = comm.iallgatherv(std::span(constant), {.counts = counts}); antiphon::ragged<double> got = all.get();",
    "auto all = comm.ialltoallv(antiphon::ragged<double>(std::move(values), counts), {.counts = counts}); all.wait();",
    "auto window = comm.allocate_window<double>(3); auto epoch = window.fence(); epoch.put(std::span(values), {.to = 1});",
    "auto window = comm.allocate_window<double>(3); auto lock = window.lock({.of = 1});"
    " one = lock.fetch_and_op(1, std::plus{}, {.to = 1}); values = lock.rget(std::move(values), {.from = 1}).get();",
    "auto grid = antiphon::cart_create<3>(comm, {.dims = {0, 2, 0}}); auto plane = grid.sub<0, 2>(); antiphon::cartesian<2> view = plane; one = view.coordinates()[1];",
    "auto graph = antiphon::dist_graph_create_adjacent(comm, {.sources = {1, {2, 3}}}); values = graph.neighbor_allgather(one);",
    "auto other = comm.dup(); auto owner = std::move(other); antiphon::communicator view = owner; view.barrier();",
    "MPI_Comm native = comm; auto other = comm.dup(); native = other; MPI_Barrier(other); const auto fixed = comm.dup(); native = fixed; (void)native;",
    "antiphon::communicator kept = comm.dup().release(); MPI_Comm native = kept; antiphon::communicator::free(native);",
    "auto window = comm.allocate_window<double>(3); auto exposed = window.post(comm.group_of({0})); auto access = window.start(comm.group_of({1}));",
    "auto window = comm.allocate_window<double>(3); MPI_Group all; MPI_Comm_group(comm, &all); auto access = window.start(all); antiphon::group view = all; if (window.post(view).ready()) one = 2;",
    "auto line = antiphon::cart_create<1>(comm.split({.color = 1})); auto row = antiphon::cart_create<1>(line.sub<0>());",
    "auto graph = antiphon::dist_graph_create_adjacent(comm.dup(), {}); auto other = antiphon::dist_graph_create(comm.dup(), {});",
    "auto window = antiphon::allocate_shared_window<double>(comm.split_by_node(), 3); auto dynamic = antiphon::create_dynamic_window(comm.dup());",
    "const std::vector<antiphon::region> parts(2); comm.alltoallw(parts, parts);"
    " auto later = comm.ialltoallw(std::vector<antiphon::const_region>(2), parts); later.get();",
    "comm.gather(one, values, {.root = 1}); comm.allgather(one, std::span(values)); auto half = comm.split({.color = 1});",
    "values = comm.bcast(std::move(values), {.root = 1}); const auto& same = comm.bcast(values); comm.bcast(std::span(values));",
    "std::vector<antiphon::future<int>> all; all.push_back(comm.irecv<int>({.from = 0})); antiphon::wait_all(all);",
]

WRONG = [
    # ranks that are left out
    ("comm.send(values, {.tag = 3});", "to which rank? say {.to = rank}"),
    ("comm.recv(values, {.tag = 3});", "from which rank? say {.from = rank}"),
    ("comm.isend(1, {});", "to which rank?"),
    # options without their names, or by those of C
    ("comm.send(1, {.dest = 0});", "the receiver's rank is called .to here: {.to = rank}"),
    ("comm.send(1, {.dest = 0, .tag = 1});", "the receiver's rank is called .to here: {.to = rank}"),
    ("auto sent = comm.isend(1, {.dest = 0});", "the receiver's rank is called .to here: {.to = rank}"),
    ("comm.recv(values, {.source = 0});", "the sender's rank is called .from here: {.from = rank}"),
    ("one = comm.sendrecv<double>(one, {.dest = 1, .source = 1});", "the receiver's rank is called .to here"),
    ("comm.send(values, 1);", "ranks and tags have names: say {.to = rank, .tag = number}"),
    ("comm.send(values, 1, 7);", "ranks and tags have names: say {.to = rank, .tag = number}"),
    ("auto sent = comm.isend(std::move(values), 1);", "ranks and tags have names: say {.to = rank, .tag = number}"),
    ("comm.recv(values, 1, factor);", "ranks and tags have names: say {.from = rank, .tag = number}"),
    ("factor = comm.recv<int>(0);", "ranks and tags have names: say {.from = rank, .tag = number}"),
    ("factor = comm.recv<int>(0, 7);", "ranks and tags have names: say {.from = rank, .tag = number}"),
    ("auto got = comm.irecv<int>(0);", "ranks and tags have names: say {.from = rank, .tag = number}"),
    ("auto got = comm.probe(0);", "ranks and tags have names: say {.from = rank, .tag = number}"),
    ("comm.bcast(values, 0);", "the root has a name: say {.root = rank}"),
    ("auto news = comm.ibcast(std::move(values), 0);", "the root has a name: say {.root = rank}"),
    ("auto all = comm.gatherv(values, 0);", "the root has a name: say {.root = rank}"),
    ("comm.gather(values, 0);", "if this is the root, it has a name: say {.root = rank}"),
    ("comm.scatter(values, 0);", "if this is the root, it has a name: say {.root = rank}"),
    ("auto sum = comm.reduce(one, std::plus{}, 0);", "if this is the root, it has a name: say {.root = rank}"),
    ("auto half = comm.split(1);", "color and key have names: say split({.color = 1, .key = 0})"),
    ("auto half = comm.split(1, 0);", "color and key have names: say split({.color = 1, .key = 0})"),
    ("comm.allreduce(values, std::vector<double>(10), std::plus{});", "so it is an lvalue or a std::span"),
    # what is no buffer
    ("comm.send(values.data(), {.to = 1});", "a pointer does not say how many elements there are"),
    ("comm.send(std::list{1, 2}, {.to = 1});", "the elements of a buffer lie one after the other"),
    ("comm.send(std::map<int, int>(), {.to = 1});", "the elements of a buffer lie one after the other"),
    ("comm.send(std::vector<bool>(3), {.to = 1});", "std::vector<bool> holds bits"),
    ("comm.recv(constant, {.from = 1});", "nothing can be received into what is const"),
    ("comm.recv(std::span(constant), {.from = 1});", "nothing can be received into what is const"),
    ("comm.bcast(constant);", "nothing can be received into what is const"),
    # what has no datatype
    ("comm.send(std::vector<std::string>(3), {.to = 1});", "more than its bytes, it may own memory"),
    ("comm.send(named{}, {.to = 1});", "more than its bytes, it may own memory"),
    ("comm.send(std::vector<linked>(3), {.to = 1});", "a pointer means nothing in another process"),
    ("comm.send(std::vector<double*>(3), {.to = 1});", "a pointer means nothing in another process"),
    ("comm.send(either{}, {.to = 1});", "MPI cannot know which member of a union is in use"),
    ("comm.send(hidden{}, {.to = 1});", "the members of this type cannot be seen"),
    ("comm.send(wide{}, {.to = 1});", "an aggregate of more than 16 members"),
    ("comm.send(empty{}, {.to = 1});", "this struct is empty"),
    ("comm.send(derived{}, {.to = 1});", "the members of a struct with base classes cannot be seen"),
    ("comm.send(marked{}, {.to = 1});", "the members of a struct with base classes cannot be seen"),
    ("comm.send(nested{}, {.to = 1});", "the members of a struct with base classes cannot be seen"),
    ("comm.send(owner{}, {.to = 1});", "more than its bytes, it may own memory"),
    ("comm.send(std::pair<int, std::string>(), {.to = 1});", "more than its bytes, it may own memory"),
    # buffers that MPI still uses
    ("auto sent = comm.isend(values, {.to = 1});", "could be changed or destroyed while MPI uses it"),
    ("auto sent = comm.isend(constant, {.to = 1});", "could be changed or destroyed while MPI uses it"),
    ("auto got = comm.irecv(values, {.from = 1});", "could be changed or destroyed while MPI uses it"),
    ("auto sending = comm.send_init(values, {.to = 1});", "could be changed or destroyed while MPI uses it"),
    ("auto parts = comm.psend_init(values, {.to = 1});", "could be changed or destroyed while MPI uses it"),
    ("auto sum = comm.allreduce_init(values, std::plus{});", "could be changed or destroyed while MPI uses it"),
    ("comm.recv_init(std::span(values), {.from = 1});", "an operation that is dropped was made for nothing"),
    ("auto sending = comm.send_init(1, {.to = 1}); auto other = sending;", "an operation has one owner"),
    ("auto parts = comm.precv_init(std::span(constant), {.from = 1});", "nothing can be received into what is const"),
    ("auto parts = comm.psend_init(one, {.to = 1});", "partitions are of a range"),
    ("auto parts = comm.psend_init(std::move(values), {.partitions = 2});", "to which rank? say {.to = rank}"),
    ("auto all = comm.iallreduce(values, std::plus{});", "could be changed or destroyed while MPI uses it"),
    ("auto got = comm.irecv<std::vector<double>>({.from = 1});", "irecv needs room for it"),
    ("values = comm.sendrecv<std::vector<double>>(values, {.to = 1, .from = 1});", "receive into a buffer of that size"),
    ("comm.isend(1, {.to = 1});", "a future that is dropped waits at once"),
    ("auto a = comm.isend(1, {.to = 1}); auto b = a;", "an operation is waited for once: std::move the future"),
    ("auto all = comm.igather(values);", "could be changed or destroyed while MPI uses it"),
    ("auto sums = comm.reduce_scatter_block_init(values, std::plus{});", "could be changed or destroyed while MPI uses it"),
    ("auto part = comm.iscatter(std::move(values), others);", "could be changed or destroyed while MPI uses it"),
    ("auto all = comm.ialltoallv(blocks, {.counts = counts});", "these blocks could be changed or destroyed while MPI"),
    ("auto all = comm.iscatterv(blocks, std::vector<double>(3));", "these blocks could be changed or destroyed while MPI"),
    # lengths that nobody knows
    ("auto all = comm.iallgatherv(std::move(values), {});", "how many elements come from each rank?"),
    ("auto all = comm.gatherv_init(std::move(values), {.root = 1});", "how many elements come from each rank?"),
    ("auto all = comm.ialltoallv(std::move(values), {.counts = counts});", "a block for each rank is said by antiphon::ragged"),
    ("comm.alltoallw(blocks, blocks);", "a buffer of its own type for each rank is said by regions"),
    ("auto all = comm.ialltoallw(std::vector<antiphon::region>(2), std::vector<antiphon::const_region>(2));",
     "nothing can be received into what is const"),
    # operations
    ("one = comm.allreduce(one, [calls = 0](double a, double b) mutable { ++calls; return a * b; });",
     "an operation takes two elements of the buffer and returns one, and stays as it is"),
    ("one = comm.allreduce(one, [](double a) { return a; });", "an operation takes two elements of the buffer"),
    ("(void)comm.allreduce(point{}, std::plus{});", "an operation takes two elements of the buffer"),
    # owners and epochs
    ("auto other = comm.dup(); auto copy = other;", "an MPI object has one owner: std::move it"),
    ("comm.dup();", "nodiscard"),
    ("MPI_Comm native = comm.dup();", "this MPI object ends at once"),
    ("MPI_Barrier(comm.split({.color = 1}));", "this MPI object ends at once"),
    ("MPI_Group some = comm.group_of({0});", "this MPI object ends at once"),
    ("MPI_Win native = comm.allocate_window<double>(3);", "this MPI object ends at once"),
    ("antiphon::communicator view = comm.dup();", "this communicator ends at once"),
    ("antiphon::group view = comm.group_of({0});", "this group ends at once"),
    ("antiphon::attachment memory(antiphon::create_dynamic_window(comm), nullptr, 0);", "this MPI object ends at once"),
    ("auto window = comm.allocate_window<double>(3); window.put(std::span(values), {.to = 1});", "put belongs to an epoch"),
    ("auto window = comm.allocate_window<double>(3); window.get(std::span(values), {.from = 1});", "get belongs to an epoch"),
    ("auto window = comm.allocate_window<double>(3); auto epoch = window.fence(); epoch.put(values, {.to = 1});",
     "MPI uses this memory until the epoch ends"),
    ("auto window = comm.allocate_window<double>(3); window.fence();", "an epoch ends with its scope: give it a name"),
    ("auto window = comm.allocate_window<double>(3); window.lock({.of = 1});", "an epoch ends with its scope: give it a name"),
    ("auto window = comm.allocate_window<double>(3); auto lock = window.lock({});", "whose memory? say {.of = rank}"),
    ("auto window = comm.allocate_window<double>(3); window.accumulate(std::span(values), std::plus{}, {.to = 1});",
     "accumulate belongs to an epoch"),
    ("auto window = comm.allocate_window<double>(3); one = window.fetch_and_op(1, std::plus{}, {.to = 1});",
     "fetch_and_op belongs to a lock"),
    ("auto window = comm.allocate_window<int>(3); auto epoch = window.fence(); epoch.put(std::span(values), {.to = 1});",
     "elements have another type than those of the window"),
    ("auto window = comm.allocate_window<double>(3); auto epoch = window.fence();"
     " epoch.accumulate(std::span(values), [](double a, double b) { return a * b + 1; }, {.to = 1});",
     "only MPI's own operations work"),
    ("auto window = comm.allocate_window<point>(3); auto epoch = window.lock_all();"
     " epoch.accumulate(std::span<point>(), antiphon::replace{}, {.to = 1});", "MPI combines numbers only"),
    ("auto window = comm.allocate_window<double>(3); one = window.lock_all().compare_and_swap(1, 2, {.to = 1});",
     "MPI compares and swaps integers, bools and bytes only"),
    ("auto window = comm.allocate_window<double>(3); auto lock = window.lock_all(); auto put = lock.rput(values, {.to = 1});",
     "could be changed or destroyed while MPI uses it"),
    ("auto window = comm.allocate_window<double>(3); auto lock = window.lock_all(); lock.rput(std::move(values), {.to = 1});",
     "a future that is dropped waits at once"),
    ("auto window = antiphon::create_dynamic_window(comm); window.attach(std::span(values));", "memory is detached when this ends"),
    ("auto window = antiphon::allocate_shared_window<std::string>(comm, 3);", "other processes see the bytes of these elements only"),
    ("antiphon::window<double> view = comm.allocate_window<double>(3);", "this window ends at once"),
    ("antiphon::shared_window<int> view = antiphon::allocate_shared_window<int>(comm, 3);", "this window ends at once"),
    # topologies
    ("antiphon::cartesian<2> grid = antiphon::cart_create<2>(comm);", "this communicator ends at once"),
    ("antiphon::communicator view = antiphon::cart_create<2>(comm);", "this communicator ends at once"),
    ("auto grid = antiphon::cart_create<2>(comm); auto line = grid.sub<2>();", "which dimensions does the smaller grid keep?"),
    ("auto grid = antiphon::cart_create<2>(comm); auto same = grid.sub<1, 0>();", "which dimensions does the smaller grid keep?"),
    ("antiphon::cart_create<2>(comm);", "nodiscard"),
    ("auto grid = antiphon::cart_create<1>(comm); auto all = grid.ineighbor_allgather(values);",
     "could be changed or destroyed while MPI uses it"),
    ("auto grid = antiphon::cart_create<1>(comm); auto all = grid.ineighbor_allgatherv(std::move(values), {});",
     "how many elements come from each rank?"),
    ("antiphon::environment{};", "MPI ends with this object: give it a name"),
    ("comm.probe({.from = 1});", "a message that was probed for is to be received"),
]


def compile_program(body: str) -> subprocess.CompletedProcess:
    command = [*COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=DECLARATIONS + body + "\n}\n", capture_output=True, text=True)


class Misuse(unittest.TestCase):
    def setUp(self):
        bodies = [*RIGHT, *(body for body, _ in WRONG)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.outcomes = dict(zip(bodies, pool.map(compile_program, bodies)))

    def test_sentences(self):
        for body in RIGHT:
            with self.subTest(right=body):
                self.assertEqual(self.outcomes[body].returncode, 0, self.outcomes[body].stderr)
        for body, sentence in WRONG:
            with self.subTest(wrong=body):
                self.assertNotEqual(self.outcomes[body].returncode, 0, "it compiles")
                # A compiler may quote the source line that has the sentence, or print it in pieces as they stand there.
                said = self.outcomes[body].stderr.replace('"\n', "")
                self.assertIn(sentence, said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", type=shlex.split, default=["mpicxx"])
    arguments, rest = parser.parse_known_args()
    COMPILER = arguments.compiler
    unittest.main(argv=[sys.argv[0], *rest])
