import { parseArgs } from 'node:util';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { listed } from '../../base/schema/describe-value.ts';
import { nearestName } from '../../base/schema/nearest-name.ts';
import type { Command, Option, Positional } from './command.ts';
import { UsageError } from './command-failure.ts';
import { Invocation, type OptionValue } from './invocation.ts';
import type { Terminal } from './terminal.ts';

/** The values of the runtime's parser. */
type Parsed = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** A minus sign, which stands for the hyphen of a negative number while the runtime parses the line. */
const MINUS = '\u2212';

/** Parses a command line by the command's row. Throws a UsageError that names the first problem. */
export function parseCommandLine(command: Command, args: readonly string[], terminal: Terminal): Invocation {
  const options = command.options ?? {};
  const { values, positionals } = splitArguments(args, options);
  return new Invocation({
    terminal,
    args,
    positionals: namePositionals(command.positionals ?? [], positionals),
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, optionValue(name, option, values[name])]),
    ),
  });
}

function splitArguments(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
): { values: Parsed; positionals: string[] } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { kind }]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
    ]),
  );
  try {
    // The runtime's parser takes a hyphen before a digit for an option.
    const marked = args.map((arg) => arg.replace(/^-(?=\.?\d)/, MINUS));
    const { values, positionals } = parseArgs({ args: marked, options: config, allowPositionals: true });
    const texts = Object.entries(values).map(([name, value]) => [name, withHyphens(value)]);
    return { values: Object.fromEntries(texts), positionals: positionals.map(withHyphen) };
  } catch (error) {
    throw new UsageError(explain(messageOfError(error), Object.keys(options)));
  }
}

const withHyphen = (text: string): string => (text.startsWith(MINUS) ? `-${text.slice(1)}` : text);

const withHyphens = (value: Parsed[string]): Parsed[string] => {
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? withHyphen(each) : each));
  return typeof value === 'string' ? withHyphen(value) : value;
};

/** Turns the parser's message, which has several lines, into one line. */
function explain(message: string, optionNames: readonly string[]): string {
  const unknown = /Unknown option '(-{1,2}([^']*))'/.exec(message);
  if (unknown) {
    const nearest = nearestName(unknown[2]!, optionNames);
    return `unknown option ${unknown[1]}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`;
  }
  const valueless = /Option '(-{1,2}[\w-]+)/.exec(message);
  if (valueless && message.includes('does not take')) return `${valueless[1]} takes no value`;
  return valueless ? `${valueless[1]} needs a value` : message.split('\n')[0]!;
}

function namePositionals(expected: readonly Positional[], words: readonly string[]): Record<string, string> {
  if (words.length > expected.length) throw new UsageError(`unexpected '${words[expected.length]}'`);
  const values: Record<string, string> = {};
  for (const [index, { name, optional, choices }] of expected.entries()) {
    const value = words[index];
    if (value === undefined && !optional) throw new UsageError(`${name} is missing`);
    if (value === undefined) continue;
    checkChoice(name, value, choices);
    values[name] = value;
  }
  return values;
}

function optionValue(name: string, option: Option, value: Parsed[string]): OptionValue {
  if (value === undefined || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(String);
  if (value === '') throw new UsageError(`--${name} must not be empty`);
  checkChoice(`--${name}`, value, option.choices);
  return option.kind === 'number' ? numberOf(name, option, value) : value;
}

function checkChoice(name: string, value: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(value)) return;
  throw new UsageError(`${name} must be ${listed(choices)}, not '${value}'`);
}

function numberOf(name: string, option: Option, text: string): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, integer } = option;
  const value = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(value) && (!integer || Number.isInteger(value));
  if (isNumber && value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${name} must be ${rangeOf(option)}, not '${text}'`);
}

function rangeOf({ integer, minimum, maximum, unit }: Option): string {
  const kind = integer ? 'an integer' : 'a number';
  const noun = unit === undefined ? kind : `${integer ? 'a whole number' : kind} of ${unit}`;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  return minimum === undefined ? noun : `${noun} of at least ${minimum}`;
}
