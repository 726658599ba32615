import type { Command, IdKind, Option, Positional } from './command.ts';

/** The values that a shell offers: fixed words, ids of the server, or files. */
export type Offer = { words: readonly string[] } | { ids: IdKind } | 'files' | 'nothing';

const FILES = new Set(['FILE', 'DIR']);

/** Returns what a shell offers as the value of an option or a positional. */
export function offerOf({ choices, ids, ...rest }: Option | Positional): Offer {
  if (choices !== undefined) return { words: choices };
  if (ids !== undefined) return { ids };
  const placeholder = 'name' in rest ? rest.name : rest.placeholder;
  return placeholder !== undefined && FILES.has(placeholder) ? 'files' : 'nothing';
}

type OfferedOption = { flag: string; takesValue: boolean; summary: string; offer: Offer };

/** Returns the options of a command, with `--help`. */
export const offeredOptions = ({ options = {} }: Command): OfferedOption[] => [
  ...Object.entries(options).map(([name, option]) => ({
    flag: `--${name}`,
    takesValue: option.kind !== 'flag',
    summary: option.summary,
    offer: offerOf(option),
  })),
  { flag: '--help', takesValue: false, summary: 'Shows this help', offer: 'nothing' },
];

/** Returns the first words of the commands, with the commands that begin with each. */
export const commandWords = (commands: readonly Command[]): Map<string, Command[]> =>
  Map.groupBy(commands, ({ name }) => name.replace(/ .*/, ''));
