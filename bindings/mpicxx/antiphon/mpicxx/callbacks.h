// Functions of the program that MPI calls: C++ ones behind C ones. It comes after the classes, whose objects they are
// given.
#pragma once

#include <antiphon/mpicxx/attributes.h>
#include <antiphon/mpicxx/datarep.h>
#include <antiphon/mpicxx/errhandlers.h>
#include <antiphon/mpicxx/grequest.h>
#include <antiphon/mpicxx/reductions.h>
