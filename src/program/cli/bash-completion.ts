import type { Command } from './command.ts';
import { shellFinder } from './shell-finder.ts';
import { shellTables } from './shell-tables.ts';

/**
 * Writes the completion for bash. The words are cut from the line, since bash also cuts at `@`, `:` and `=`,
 * which ids contain. The words are compared here, since `compgen -W` would run substitutions in them.
 */
export const bashCompletion = (commands: readonly Command[]): string => `# The completion of tollgate for bash
${shellTables(commands)}
${shellFinder}
_tollgate() {
  local line="\${COMP_LINE:0:COMP_POINT}" current="" word head="" breaks _tollgate_offer
  local -a words offered
  COMPREPLY=()
  read -r -a words <<< "$line"
  case "$line" in
    *[[:space:]]) words[\${#words[@]}]="" ;;
  esac
  current="\${words[\${#words[@]}-1]}"
  _tollgate_find "\${words[@]}"
  case "$_tollgate_offer" in
    =*) ;;
    /)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY[\${#COMPREPLY[@]}]="$word"; done < <(compgen -f -- "$current")
      return
      ;;
    *) return ;;
  esac
  breaks="\${COMP_WORDBREAKS//[^:=@]/}"
  if [ -n "$breaks" ]; then head="\${current%"\${current##*[$breaks]}"}"; fi
  read -r -d '' -a offered <<< "\${_tollgate_offer#=}"
  for word in "\${offered[@]}"; do
    case "$word" in
      "$current"*) COMPREPLY[\${#COMPREPLY[@]}]="\${word#"$head"}" ;;
    esac
  done
}
complete -F _tollgate tollgate`;
