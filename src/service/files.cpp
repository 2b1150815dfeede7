#include "service/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <functional>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "service/comm_create.hpp"

namespace antiphon::service {

namespace {

// Takes what call() throws as the reason why this process fails.
template <class Call>
void attempt(Failure* failure, Call&& call) {
  if (*failure) return;
  try {
    call();
  } catch (base::Error& error) {
    *failure = std::move(error);
  }
}

int system_flags(int amode) {
  int flags = (amode & abi::MODE_RDONLY) != 0 ? O_RDONLY : (amode & abi::MODE_WRONLY) != 0 ? O_WRONLY : O_RDWR;
  if ((amode & abi::MODE_CREATE) != 0) flags |= O_CREAT;
  if ((amode & abi::MODE_EXCL) != 0) flags |= O_EXCL;
  return flags;
}

template <class Value>
[[noreturn]] void not_same(const char* what, const Value& one, std::size_t rank, const Value& first) {
  base::fail(abi::ERR_NOT_SAME, fmt::format("{}={} on rank {}, but {} on rank 0: all processes must give the same",
                                            what, one, rank, first));
}

// Fails on all processes if any has failed, or if they have given different values of `what`.
template <class Value>
void agree_on(const FileTools& with, Comm& comm, const char* what, const Value& value, const Failure& failure) {
  std::vector<Value> all;
  with.files.agree(comm, failure, value, &all);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      base::fail(abi::ERR_NOT_SAME,
                 fmt::format("{}={} on rank {}, but {} on rank 0: all processes must give the same", what, all[rank],
                             rank, all[0]));
}

// What rank 0 does for all.
template <class Call>
void first_rank_does(const FileTools& with, File& file, Call&& call) {
  Failure failure;
  if (file.comm().rank() == 0) attempt(&failure, call);
  with.files.agree(file, failure);
}

// Rank 0 creates the file, and the others open it when it is there.
io::StoredFileRef open_stored(const FileTools& with, Comm& comm, const FileOptions& options, io::Manner* manner,
                              Failure* failure) {
  io::StoredFileRef stored;
  const auto open = [&](int flags) {
    attempt(failure, [&] {
      stored = std::make_shared<io::StoredFile>(with.files.storage(), options.path, flags, options.permissions);
    });
  };
  struct First {
    io::Manner manner;
    std::int32_t failed;
  } first{options.manner, 0};
  const int flags = system_flags(options.amode);
  if (comm.rank() == 0) {
    open(flags);
    first.failed = *failure ? 1 : 0;
  }
  with.tools.coll.bcast(&first, sizeof first, 0, comm);
  *manner = first.manner;
  if (comm.rank() != 0 && first.failed == 0) open(flags & ~(O_CREAT | O_EXCL));
  return stored;
}

}  // namespace

Ref<File> file_open(const FileTools& with, Comm& parent, const FileOptions& options, Failure failure) {
  const Ref<Comm> comm = comm_of_members(with.tools, parent, parent.group_ref(), "file");
  io::Manner manner;
  io::StoredFileRef stored = open_stored(with, *comm, options, &manner, &failure);
  auto bytes = std::make_shared<const objects::FileView>(0, with.byte, with.byte, "native");
  auto file = Ref<File>::adopt(new File({.comm = comm,
                                         .path = options.path,
                                         .amode = options.amode,
                                         .view = std::move(bytes),
                                         .errhandler = options.errhandler}));
  const Ref<Window> words = win_of_words(with.windows, comm, sizeof(std::int64_t));
  io::SharedPointer pointer(with.files.pointers(), words, with.offset);
  std::int64_t end = 0;
  if ((options.amode & abi::MODE_APPEND) != 0) attempt(&failure, [&] { end = stored->size(); });
  if (comm->rank() == 0 && end != 0) pointer.set(end);
  try {
    agree_on(with, *comm, "amode", options.amode, failure);
  } catch (base::Error&) {
    pointer.leave();
    win_of_words_free(with.windows, *words);
    throw;
  }
  file->set_position(end);
  with.files.admit(file, std::move(stored), std::move(pointer), manner).set_tuning(options.tuning);
  return file;
}

void file_close(const FileTools& with, File& file) {
  with.files.finish(file);
  io::FileState& state = file.state();
  Failure failure;
  attempt(&failure, [&] { state.stored()->close(); });
  std::exception_ptr failed;
  try {
    with.files.agree(file, failure);
    if ((file.amode() & abi::MODE_DELETE_ON_CLOSE) != 0)
      first_rank_does(with, file, [&] { io::remove(with.files.storage(), file.path()); });
  } catch (base::Error&) {  // the file is closed nevertheless, on all processes
    failed = std::current_exception();
  }
  const Ref<Window> words = Ref<Window>::share(state.shared_pointer().window());
  state.shared_pointer().leave();
  with.files.dismiss(file);
  win_of_words_free(with.windows, *words);
  if (failed) std::rethrow_exception(failed);
}

void file_set_size(const FileTools& with, File& file, std::int64_t bytes, const Failure& failure) {
  agree_on(with, file.comm(), "size", bytes, failure);
  first_rank_does(with, file, [&] { file.state().stored()->set_size(bytes); });
}

void file_preallocate(const FileTools& with, File& file, std::int64_t bytes, const Failure& failure) {
  agree_on(with, file.comm(), "size", bytes, failure);
  first_rank_does(with, file, [&] { file.state().stored()->allocate(bytes); });
}

void file_sync(const FileTools& with, File& file, Failure failure) {
  attempt(&failure, [&] { file.state().stored()->synchronize(); });
  with.files.agree(file, failure);
}

void file_set_atomicity(const FileTools& with, File& file, bool is_atomic, const Failure& failure) {
  agree_on(with, file.comm(), "flag", is_atomic, failure);
  file.set_atomic(is_atomic);
}

// The shared pointer is at the beginning of the new view before any process goes on.
void file_set_view(const FileTools& with, File& file, objects::FileViewRef view, const io::Manner& manner,
                   const Failure& failure) {
  struct Told {
    std::int64_t extent;
    std::uint64_t datarep;  // a hash
    io::Manner manner;
  };
  const Told mine{view ? view->etype()->extent() : 0, view ? std::hash<std::string>()(view->datarep()) : 0, manner};
  std::vector<Told> all;
  with.files.agree(file.comm(), failure, mine, &all);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank].extent != all[0].extent) not_same("the extent of etype", all[rank].extent, rank, all[0].extent);
    if (all[rank].datarep != all[0].datarep)
      base::fail(abi::ERR_NOT_SAME, fmt::format("datarep differs between rank {} and rank 0: all processes must give "
                                                "the same",
                                                rank));
  }
  first_rank_does(with, file, [&] { file.state().shared_pointer().set(0); });
  file.set_view(std::move(view));
  file.set_position(0);
  file.state().set_manner(all.front().manner);
}

void file_set_manner(const FileTools& with, File& file, const io::Manner& manner, const Failure& failure) {
  std::vector<io::Manner> all;
  with.files.agree(file.comm(), failure, manner, &all);
  file.state().set_manner(all.front());
}

void file_seek_shared(const FileTools& with, File& file, std::int64_t etypes, const Failure& failure) {
  agree_on(with, file.comm(), "the place that offset and whence name", etypes, failure);
  first_rank_does(with, file, [&] { file.state().shared_pointer().set(etypes); });
}

}  // namespace antiphon::service
