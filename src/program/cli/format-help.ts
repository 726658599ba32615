import type { Command, Option } from './command.ts';

/** Writes pairs of texts in two columns. */
const twoColumns = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const commandRows = (commands: readonly Command[]): string =>
  twoColumns(commands.map(({ name, summary }) => [name, summary] as const));

/** Formats the help of the program, or of the commands whose name begins with `group`. */
export function formatOverview(commands: readonly Command[], group?: string): string {
  const word = group === undefined ? '' : ` ${group}`;
  return [
    `Usage: tollgate${word} <command> [options]`,
    '',
    commandRows(commands),
    '',
    group === undefined
      ? 'Run a command with --help for its options. --version prints the version.'
      : 'Run a command with --help for its options.',
  ].join('\n');
}

const positionalName = ({ name, optional }: { name: string; optional?: boolean }): string =>
  optional ? `[${name}]` : name;

/** Formats the help of one command. */
export function formatCommandHelp(command: Command): string {
  const { name, summary, positionals = [], options = {}, examples } = command;
  const usage = ['tollgate', name, ...positionals.map(positionalName), '[options]'].join(' ');
  const optionRows = Object.entries(options).map(
    ([option, row]) => [optionHead(option, row), optionText(row)] as const,
  );
  return [
    `${summary}.`,
    '',
    `Usage: ${usage}`,
    ...(positionals.length > 0
      ? ['', twoColumns(positionals.map((row) => [row.name, withChoices(row.summary, row.choices)] as const))]
      : []),
    '',
    'Options:',
    twoColumns([...optionRows, ['--help', 'Shows this help']]),
    '',
    'Examples:',
    ...examples.map((example) => `  tollgate ${example}`),
  ].join('\n');
}

const optionHead = (name: string, { kind, placeholder }: Option): string =>
  kind === 'flag' ? `--${name}` : `--${name} ${placeholder ?? (kind === 'number' ? 'N' : 'TEXT')}`;

const optionText = ({ kind, summary, choices }: Option): string =>
  withChoices(kind === 'list' ? `${summary}; repeatable` : summary, choices);

const withChoices = (summary: string, choices?: readonly string[]): string =>
  choices === undefined ? summary : `${summary}: ${choices.join(', ')}`;
