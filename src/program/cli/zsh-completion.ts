import type { Command } from './command.ts';
import { shellFinder } from './shell-finder.ts';
import { shellTables } from './shell-tables.ts';

/**
 * Writes the completion for zsh. It can be sourced after \`compinit\`, or be a file \`_tollgate\` in a
 * directory of \`fpath\`.
 */
export const zshCompletion = (commands: readonly Command[]): string => `#compdef tollgate
# The completion of tollgate for zsh
${shellTables(commands)}
${shellFinder}
_tollgate() {
  local _tollgate_offer
  local -a offered
  _tollgate_find "\${(@Q)words[1,CURRENT]}"
  case "$_tollgate_offer" in
    "="*)
      offered=(\${=_tollgate_offer#=})
      compadd -a offered
      ;;
    /) _files ;;
  esac
}
if [ "\${funcstack[1]}" = _tollgate ]; then
  _tollgate "$@"
else
  compdef _tollgate tollgate
fi`;
