import type { Command } from './command.ts';
import { commandWords, type Offer, offeredOptions, offerOf } from './completion-offers.ts';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const offerArguments = (offer: Offer): string => {
  if (offer === 'nothing') return '';
  if (offer === 'files') return ' -F';
  if ('ids' in offer) return ` -a '(__tollgate_ids ${offer.ids})'`;
  return ` -a ${quoted(offer.words.join(' '))}`;
};

/** The words so far are those after the program, without the one that is completed. */
const helpers = [
  'function __tollgate_ids',
  '  set -l program (string replace -r "^~" -- $HOME (commandline -opc)[1])',
  '  $program completion --ids $argv[1] 2>/dev/null',
  'end',
  '# The words so far begin with these words.',
  'function __tollgate_in',
  '  set -l words (commandline -opc)[2..-1]',
  '  test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"',
  'end',
  '# The words so far begin with the words after the number, and have that many more.',
  'function __tollgate_after',
  '  set -l words (commandline -opc)[2..-1]',
  '  set -l more $argv[1]',
  '  set -e argv[1]',
  '  test (count $words) -eq (math (count $argv) + $more); or return 1',
  '  test (count $argv) -eq 0; or test "$words[1..$(count $argv)]" = "$argv"',
  'end',
];

/**
 * Writes the completion for fish. A row of \`complete\` applies where its condition, a function with the
 * words so far, holds.
 */
export const fishCompletion = (commands: readonly Command[]): string =>
  [
    '# The completion of tollgate for fish',
    ...helpers,
    'complete -c tollgate -f',
    ...[...commandWords(commands)].flatMap(([first, rows]) => wordRows(first, rows)),
    ...commands.flatMap(commandRows),
  ].join('\n');

const wordRows = (first: string, rows: readonly Command[]): string[] => {
  const [single] = rows;
  if (rows.length === 1 && single!.name === first)
    return [`complete -c tollgate -n '__tollgate_after 0' -a ${first} -d ${quoted(single!.summary)}`];
  return [
    `complete -c tollgate -n '__tollgate_after 0' -a ${first}`,
    ...rows.map(
      ({ name, summary }) =>
        `complete -c tollgate -n '__tollgate_after 0 ${first}' -a ${name.split(' ')[1]} -d ${quoted(summary)}`,
    ),
  ];
};

const commandRows = (command: Command): string[] => {
  const start = `complete -c tollgate -n '__tollgate_in ${command.name}'`;
  const positionals = (command.positionals ?? []).map((positional, place) => ({
    place,
    values: offerArguments(offerOf(positional)),
  }));
  return [
    ...positionals
      .filter(({ values }) => values !== '')
      .map(
        ({ place, values }) => `complete -c tollgate -n '__tollgate_after ${place} ${command.name}'${values}`,
      ),
    ...offeredOptions(command).map(
      ({ flag, takesValue, summary, offer }) =>
        `${start} -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(summary)}${offerArguments(offer)}`,
    ),
  ];
};
