! What the test programs share: conditions that must hold, and the verdict.
module expect
  implicit none
  integer :: failures = 0
contains
  subroutine expect_true(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    failures = failures + 1
    print '(2a)', 'not so: ', what
  end subroutine

  subroutine expect_equal(is, should, what)
    integer, intent(in) :: is, should
    character(len=*), intent(in) :: what
    if (is == should) return
    failures = failures + 1
    print '(3a,i0,a,i0)', 'not so: ', what, ' is ', is, ', not ', should
  end subroutine

  subroutine verdict()
    if (failures > 0) stop 1
  end subroutine
end module
