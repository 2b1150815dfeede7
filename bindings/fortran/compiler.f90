! What only the compiler knows: how it represents .true. and .false., and how many bytes its default kinds have.
subroutine antiphon_fortran_compiler(true_value, false_value, logical_size, integer_size, real_size, &
                                     double_precision_size)
  implicit none
  logical, intent(out) :: true_value, false_value
  integer, intent(out) :: logical_size, integer_size, real_size, double_precision_size
  true_value = .true.
  false_value = .false.
  logical_size = storage_size(.true.) / 8
  integer_size = storage_size(0) / 8
  real_size = storage_size(0.0) / 8
  double_precision_size = storage_size(0.0d0) / 8
end subroutine
