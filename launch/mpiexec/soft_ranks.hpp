// How many ranks to start if the user leaves a choice: the triplets of -soft (MPI 5.0, 11.5 and 11.8.4).
#pragma once

#include <string_view>

namespace antiphon::launch {

// The greatest number from 1 to `most` that is in one of the triplets a, a:b or a:b:c, separated by commas; 0 if
// there is none. Throws std::invalid_argument, with a message for the user, if `triplets` is not such a list.
[[nodiscard]] int soft_ranks(std::string_view triplets, int most);

}  // namespace antiphon::launch
