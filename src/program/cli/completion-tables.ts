import type { Command, IdKind, Option, Positional } from './command.ts';

/** The values that a shell offers: fixed words, ids of the server, or files. */
export type Offer = { words: readonly string[] } | { ids: IdKind } | 'files' | 'nothing';

const FILES = new Set(['FILE', 'DIR']);

export function offerOf({ choices, ids, ...rest }: Option | Positional): Offer {
  if (choices !== undefined) return { words: choices };
  if (ids !== undefined) return { ids };
  const shown = 'name' in rest ? rest.name : rest.placeholder;
  return shown !== undefined && FILES.has(shown) ? 'files' : 'nothing';
}

export type OfferedOption = { flag: string; takesValue: boolean; summary: string; offer: Offer };

export const offeredOptions = ({ options = {} }: Command): OfferedOption[] => [
  ...Object.entries(options).map(([name, option]) => ({
    flag: `--${name}`,
    takesValue: option.kind !== 'flag',
    summary: option.summary,
    offer: offerOf(option),
  })),
  { flag: '--help', takesValue: false, summary: 'Shows this help', offer: 'nothing' },
];

/** The words that can begin a command, with the second words of each. */
export function commandWords(commands: readonly Command[]): Map<string, Command[]> {
  const words = new Map<string, Command[]>();
  for (const command of commands) {
    const [first] = command.name.split(' ') as [string];
    words.set(first, [...(words.get(first) ?? []), command]);
  }
  return words;
}

/** Writes an offer as one word for the shell functions of bash and zsh: `=a b`, `@models`, `/` or nothing. */
const shellOffer = (offer: Offer): string => {
  if (offer === 'nothing') return '';
  if (offer === 'files') return '/';
  return 'ids' in offer ? `@${offer.ids}` : `=${offer.words.join(' ')}`;
};

const caseRow = (pattern: string, text: string): string => `    '${pattern}') echo '${text}' ;;`;

const caseFunction = (name: string, rows: readonly string[]): string =>
  [`${name}() {`, '  case "$1" in', ...rows, '  esac', '}'].join('\n');

/**
 * Writes the command table as functions for bash and zsh. The table has no quotes, so the words need no
 * escapes. `_tollgate_value` knows `COMMAND --option` and `COMMAND N`, with N the number of the positional.
 */
export function shellTables(commands: readonly Command[]): string {
  const groups = [...commandWords(commands)];
  const second = groups.filter(([first, rows]) => rows.some(({ name }) => name !== first));
  return [
    caseFunction('_tollgate_words', [
      caseRow('', [...groups.map(([first]) => first), 'help'].join(' ')),
      ...second.map(([first, rows]) => caseRow(first, rows.map(({ name }) => name.split(' ')[1]).join(' '))),
    ]),
    caseFunction(
      '_tollgate_options',
      commands.map((command) =>
        caseRow(
          command.name,
          offeredOptions(command)
            .map(({ flag }) => flag)
            .join(' '),
        ),
      ),
    ),
    caseFunction('_tollgate_value', commands.flatMap(valueRows)),
  ].join('\n');
}

const valueRows = (command: Command): string[] => [
  ...offeredOptions(command)
    .filter(({ takesValue }) => takesValue)
    // `?`: the option takes a value that the shell cannot offer.
    .map(({ flag, offer }) => caseRow(`${command.name} ${flag}`, shellOffer(offer) || '?')),
  ...(command.positionals ?? [])
    .map((positional, place) => [place + 1, shellOffer(offerOf(positional))] as const)
    .filter(([, offer]) => offer !== '')
    .map(([place, offer]) => caseRow(`${command.name} ${place}`, offer)),
];

/**
 * Finds what the last of some words can be, for bash and zsh. It takes the program and the words after it,
 * and sets `_tollgate_offer` to an offer, as in `_tollgate_value`.
 * Bash of 2007, the one of macOS, understands it.
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
