#include "process/anytime.hpp"

#include "abi/constants.hpp"
#include "process/startup_info.hpp"

namespace antiphon::process {

using objects::Errhandler;
using objects::Ref;

ErrhandlerTable::ErrhandlerTable() {
  const auto add = [this](Value value, Errhandler::Action action) {
    const auto made = Ref<Errhandler>::adopt(new Errhandler(action));
    table_.set_predefined(value, made);
    uses_.emplace(made.get(), Use{value, 0});
  };
  add(abi::ERRORS_ARE_FATAL, Errhandler::Action::fatal);
  add(abi::ERRORS_ABORT, Errhandler::Action::abort);
  add(abi::ERRORS_RETURN, Errhandler::Action::return_code);
}

ErrhandlerTable::Value ErrhandlerTable::handle_of(const Ref<Errhandler>& errhandler) {
  const auto known = uses_.find(errhandler.get());
  if (known != uses_.end()) {
    ++known->second.count;
    return known->second.handle;
  }
  const Value handle = table_.insert(errhandler);
  uses_.emplace(errhandler.get(), Use{handle, 1});
  return handle;
}

void ErrhandlerTable::free(Value value) {
  if (value < objects::kPredefinedHandles) return;
  const auto use = uses_.find(table_.find(value));
  if (--use->second.count != 0) return;
  uses_.erase(use);
  (void)table_.erase(value);
}

Anytime::Anytime() { infos.set_predefined(abi::INFO_ENV, startup_info()); }

}  // namespace antiphon::process
