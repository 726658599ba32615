/**
 * Finds what the last of some words can be, for bash and zsh. It takes the program and the words after it,
 * and sets `_tollgate_offer` to an offer, as in `_tollgate_value`. Bash of 2007, the one of macOS,
 * understands it.
 */
export const shellFinder = `_tollgate_find() {
  local program="$1" command="" group="" count=0 expects="" options="" word
  shift
  case "$program" in
    '~/'*) program="$HOME/\${program#??}" ;;
  esac
  _tollgate_offer=""
  if [ "$1" = help ] && [ $# -gt 1 ]; then shift; fi
  while [ $# -gt 1 ]; do
    word="$1"
    shift
    if [ -n "$expects" ]; then
      expects=""
    elif [ -z "$command" ]; then
      command="$group$word"
      options="$(_tollgate_options "$command")"
      if [ -z "$options" ]; then
        if [ -n "$group" ]; then return; fi
        group="$word "
        command=""
      fi
    else
      case "$word" in
        --*=*) ;;
        -*) if [ -n "$(_tollgate_value "$command $word")" ]; then expects="$word"; fi ;;
        *) count=$((count + 1)) ;;
      esac
    fi
  done
  if [ -n "$expects" ]; then
    _tollgate_offer="$(_tollgate_value "$command $expects")"
  elif [ -z "$command" ]; then
    _tollgate_offer="=$(_tollgate_words "\${group% }")"
  else
    case "$1" in
      -*) _tollgate_offer="=$options" ;;
      *)
        _tollgate_offer="$(_tollgate_value "$command $((count + 1))")"
        if [ -z "$_tollgate_offer" ] && [ -z "$1" ]; then _tollgate_offer="=$options"; fi
        ;;
    esac
  fi
  case "$_tollgate_offer" in
    @*) _tollgate_offer="=$("$program" completion --ids "\${_tollgate_offer#@}" 2>/dev/null)" ;;
  esac
}`;
