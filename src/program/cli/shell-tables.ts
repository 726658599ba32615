import type { Command } from './command.ts';
import { commandWords, type Offer, offeredOptions, offerOf } from './completion-offers.ts';

/** Writes an offer as one word for the shell functions of bash and zsh: `=a b`, `@models`, `/` or nothing. */
const shellOffer = (offer: Offer): string => {
  if (offer === 'nothing') return '';
  if (offer === 'files') return '/';
  return 'ids' in offer ? `@${offer.ids}` : `=${offer.words.join(' ')}`;
};

/** Writes one branch of a `case` statement, which prints the text. */
const caseRow = (pattern: string, text: string): string => `    '${pattern}') echo '${text}' ;;`;

/** Writes a shell function that looks its first word up in the rows. */
const caseFunction = (name: string, rows: readonly string[]): string =>
  [`${name}() {`, '  case "$1" in', ...rows, '  esac', '}'].join('\n');

/**
 * Writes the command table as functions for bash and zsh. The table has no quotes, so the words need no
 * escapes. `_tollgate_value` knows `COMMAND --option` and `COMMAND N`, with N the number of the positional.
 */
export function shellTables(commands: readonly Command[]): string {
  const groups = [...commandWords(commands)];
  const groupsOfTwoWords = groups.filter(([first, rows]) => rows.some(({ name }) => name !== first));
  return [
    caseFunction('_tollgate_words', [
      caseRow('', [...groups.map(([first]) => first), 'help'].join(' ')),
      ...groupsOfTwoWords.map(([first, rows]) =>
        caseRow(first, rows.map(({ name }) => name.split(' ')[1]).join(' ')),
      ),
    ]),
    caseFunction(
      '_tollgate_options',
      commands.map((command) => caseRow(command.name, flagsOf(command).join(' '))),
    ),
    caseFunction('_tollgate_value', commands.flatMap(valueRows)),
  ].join('\n');
}

const flagsOf = (command: Command): string[] => offeredOptions(command).map(({ flag }) => flag);

/** Writes the rows with the values of each option and positional of a command. */
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
