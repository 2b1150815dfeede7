! A line of output, as each language prints it: which rank, what, and a number.
subroutine say(rank, what, number)
  implicit none
  integer, intent(in) :: rank, number
  character(len=*), intent(in) :: what
  print '(i0,1x,a,1x,i0)', rank, what, number
end subroutine
