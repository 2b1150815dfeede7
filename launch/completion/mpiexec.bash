# Completion of mpiexec, mpirun and antiphon-info in bash, also under the names that Debian's packages give them. It
# needs nothing but bash. It asks the programs for their options and values, so it contains none of them.

# The options that a program's --help lists: each line begins with one.
_antiphon_options() {
  "$1" --help 2>/dev/null | sed -nE 's/^  (-[-a-zA-Z?]+).*/\1/p'
}

# The values of an option of mpiexec that has only a few: the option names them when it refuses another value.
# Excludes descriptions such as `1 to 65536`.
_antiphon_values() {
  "$1" "$2" '?' true 2>&1 | sed -nE 's/.*\(valid: ([a-z0-9_]+(, [a-z0-9_]+)+)\).*/\1/p' | tr -d ','
}

# The placeholder of the option's value; nothing if the option takes none.
_antiphon_placeholder() {
  "$1" --help 2>/dev/null | sed -nE "s/^  ${2//\?/\\?} ([A-Z][A-Z=]*).*/\1/p"
}

_antiphon_mpiexec() {
  local program=$1 word=$2 before=$3
  COMPREPLY=()
  case $(_antiphon_placeholder "$program" "$before") in
    FILE) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    DIR | DIRS) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    NAME=VALUE)
      local names
      names=$("${program%mpi*}antiphon-info" --settings 2>/dev/null | sed -nE 's/^([a-z_]+) = .*/\1=/p')
      compopt -o nospace +o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
      return ;;
    N | TRIPLETS | SECONDS | VAR) return ;;
    ?*) mapfile -t COMPREPLY < <(compgen -W "$(_antiphon_values "$program" "$before")" -- "$word"); return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_antiphon_options "$program")" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
  fi
}

_antiphon_info() {
  mapfile -t COMPREPLY < <(compgen -W "$(_antiphon_options "$1")" -- "$2")
}

complete -o filenames -F _antiphon_mpiexec mpiexec mpirun mpiexec.antiphon mpirun.antiphon
complete -F _antiphon_info antiphon-info
