import { version, versionDate } from '../../base/build/version.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { asSentence } from '../../base/lib/as-sentence.ts';
import { nearestName } from '../../base/schema/nearest-name.ts';
import type { Command } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import { commands } from './commands.ts';
import { formatCommandHelp, formatOverview } from './format-help.ts';
import { parseCommandLine } from './parse-command-line.ts';
import type { Terminal } from './terminal.ts';

const FINE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs a command line and resolves to its exit code. It throws only on a bug. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args[0] === '--version' || args[0] === 'version') {
    terminal.print([version, versionDate].join(' ').trim());
    return FINE;
  }
  // `tollgate help account` is `tollgate account --help`.
  if (args[0] === 'help') return await runCommandLine([...args.slice(1), '--help'], terminal);
  const command = findCommand(args);
  if (command === undefined) return withoutCommand(args, terminal);
  const commandArgs = args.slice(command.name.split(' ').length);
  if (asksForHelp(commandArgs)) {
    terminal.print(formatCommandHelp(command));
    return FINE;
  }
  return await runCommand(command, commandArgs, terminal);
}

const findCommand = (args: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));

/** `--help` is never an option's value, since no option accepts it as one. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some(
    (argument) => argument === '--help' || argument === '-h',
  );
};

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const invocation = parseCommandLine(command, args, terminal);
    const run = await command.load();
    return await run(invocation);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.remark(asSentence(`tollgate: ${error.message} (see 'tollgate ${command.name} --help')`));
      return WRONG_USAGE;
    }
    if (error instanceof Unavailable) {
      terminal.remark(`tollgate: ${error.sentence}`);
      return FAILED;
    }
    if (!(error instanceof CommandFailure)) throw error;
    terminal.remark(asSentence(`tollgate: ${error.message}`));
    return FAILED;
  }
}

/** Handles a command line that names no command: prints the help, or suggests the nearest command. */
function withoutCommand(args: readonly string[], terminal: Terminal): number {
  const words = args.filter((argument) => !argument.startsWith('-'));
  const group = commands.filter(({ name }) => words[0] !== undefined && name.startsWith(`${words[0]} `));
  const overview = group.length > 0 ? formatOverview(group, words[0]) : formatOverview(commands);
  // The words so far can begin a command.
  const isBeginning = words.length === 0 || (words.length === 1 && group.length > 0);
  if (asksForHelp(args) && isBeginning) {
    terminal.print(overview);
    return FINE;
  }
  if (words.length === 0 && args.length > 0) terminal.remark(`tollgate: unknown option ${args[0]}.`);
  else terminal.remark(isBeginning ? overview : unknownCommand(words, group));
  return WRONG_USAGE;
}

function unknownCommand(words: readonly string[], group: readonly Command[]): string {
  const typed = words.slice(0, group.length > 0 ? 2 : 1).join(' ');
  const commandNames = group.length > 0 ? group.map(({ name }) => name) : firstWords();
  const nearest =
    nearestName(typed, commandNames) ??
    nearestName(
      words.slice(0, 2).join(' '),
      commands.map(({ name }) => name),
    );
  const hint = nearest === undefined ? "see 'tollgate --help'" : `did you mean 'tollgate ${nearest}'?`;
  return asSentence(`tollgate: unknown command '${typed}'; ${hint}`);
}

const firstWords = (): string[] => [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
