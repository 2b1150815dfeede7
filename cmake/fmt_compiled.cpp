// {fmt}, compiled once for the whole build. As headers alone it would be compiled in every file that formats a
// message, which took most of a build's time; as Debian's shared library it would be one more thing that an MPI
// program must find when it starts. The instantiations are those that fmt's headers declare `extern` or leave to the
// library, for the one character type we use.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
