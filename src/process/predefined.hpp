// The objects behind the ABI's predefined handles.
#pragma once

#include "objects/datatype.hpp"
#include "objects/handle_table.hpp"
#include "objects/op.hpp"

namespace antiphon::process {

void add_predefined_datatypes(objects::HandleTable<objects::Datatype>& table);
void add_predefined_ops(objects::HandleTable<objects::Op>& table);

}  // namespace antiphon::process
