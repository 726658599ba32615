import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import packageFile from '../../package.json' with { type: 'json' };
import type { Command } from '../../src/program/cli/command.ts';
import { commands } from '../../src/program/cli/commands.ts';

const root = join(import.meta.dir, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Programs of a POSIX machine in addition to Node and npm. Every clone implies `git`. */
const MACHINE = new Set('cat cd chmod cp curl echo export git kill ls mkdir mv rm sleep tar wait'.split(' '));

/** Programs that only some documents need. An installed package puts `tollgate` on the PATH. */
const TOOLS: Readonly<Record<string, ReadonlySet<string>>> = {
  'docs/releases.md': new Set('base64 docker gh npx openssl printf sh sha256sum'.split(' ')),
  'docs/deployment.md': new Set(
    'tollgate docker go haproxy helm install journalctl kubectl ln nginx sh sudo systemctl systemd-analyze useradd'.split(
      ' ',
    ),
  ),
};

const NPM_VERBS = new Set(['audit', 'ci', 'install', 'pack', 'version']);

/** Reports whether a word stands for something: NAME, acct_…, $ID, [more]. */
const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z_]*$|…|\$|^\[|\]$/.test(word);

/**
 * Returns why a command would fail on a machine with only Node, npm, a clone and the tools of its document.
 * Undefined if it would work.
 */
export function findCommandFault(
  [program = '', ...args]: readonly string[],
  document = '',
): string | undefined {
  const hasTool = (name: string): boolean => TOOLS[document]?.has(name) ?? false;
  if (program === 'sudo' && hasTool(program)) return findCommandFault(args, document);
  if (program === 'bin/tollgate' || (program === 'tollgate' && hasTool(program)))
    return findTollgateFault(args);
  if (program === 'tollgate') return 'write bin/tollgate: a clone puts nothing on the PATH';
  if (program === 'npm') return findNpmFault(args);
  if (program === 'node') return findNodeFault(args);
  return MACHINE.has(program) || hasTool(program)
    ? undefined
    : `${program} is not on a machine with only Node and npm`;
}

function findNpmFault([verb = '', ...rest]: readonly string[]): string | undefined {
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  if (verb === 'start') return findTollgateFault(['serve', ...args]);
  if (verb === 'test') return findTestFault(args);
  if (verb !== 'run') return NPM_VERBS.has(verb) ? undefined : `this project has no use for npm ${verb}`;
  return Object.hasOwn(packageFile.scripts, rest[0] ?? '') ? undefined : `there is no script ${rest[0]}`;
}

/** A flag must be one that the script reads, and all else the beginning of a path of tests. */
function findTestFault(args: readonly string[]): string | undefined {
  const script = read('scripts/test.mjs');
  const wrong = args
    .filter((word) => !isPlaceholder(word))
    .find((word) => (word.startsWith('-') ? !script.includes(`'${word}'`) : !existsSync(join(root, word))));
  return wrong && `npm test knows no ${wrong}`;
}

function findNodeFault([script = '', ...args]: readonly string[]): string | undefined {
  if (script.startsWith('-')) return undefined; // a line of JavaScript
  if (!existsSync(join(root, script))) return `there is no ${script}`;
  const [program = '', ...own] = args;
  if (script !== 'scripts/run.mjs' || program === '' || isPlaceholder(program)) return undefined;
  if (!existsSync(join(root, program))) return `there is no ${program}`;
  const sources = [program, ...importsOf(program)].map(read).join('\n');
  const flags = own.flatMap((word) => /^\[?--([a-z-]+)/.exec(word)?.[1] ?? []);
  const unknown = flags.find((flag) => flag !== 'help' && !new RegExp(`['" ]${flag}['"]?: `).test(sources));
  return unknown && `${program} has no --${unknown}`;
}

const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/from '(\.[^']+\.ts)'/g)].map(([, target]) => join(dirname(path), target!));

function findTollgateFault(args: readonly string[]): string | undefined {
  if (args[0] === '--version' || args[0] === '--help') return undefined;
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (!command) return `there is no command ${args.slice(0, 2).join(' ')}`;
  return findArgumentFault(command, args.slice(command.name.split(' ').length));
}

function findArgumentFault(command: Command, args: readonly string[]): string | undefined {
  const { name, positionals: expected = [], options = {} } = command;
  if (args.includes('--help')) return undefined;
  const known = Object.entries(options).map(([option, { kind }]) => [
    option,
    { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
  ]);
  try {
    const words = args.map((word) => word.replaceAll(/^\[|\]$/g, ''));
    const parsed = parseArgs({ args: words, options: Object.fromEntries(known), allowPositionals: true });
    const { positionals } = parsed;
    const values: Readonly<Record<string, unknown>> = parsed.values;
    if (positionals.length > expected.length) return `${name} takes no ${positionals.at(-1)}`;
    const missing = expected.find(({ optional }, index) => !optional && positionals[index] === undefined);
    if (missing) return `${name} needs ${missing.name}`;
    const wrong = [
      ...expected.map(({ choices }, index) => ({ choices, value: positionals[index] })),
      ...Object.entries(options).map(([option, { choices }]) => ({ choices, value: values[option] })),
    ].find(
      ({ choices, value }) =>
        choices && typeof value === 'string' && !isPlaceholder(value) && !choices.includes(value),
    );
    return wrong && `${name} does not take ${wrong.value}`;
  } catch (error) {
    return `${name}: ${(error as Error).message.split('\n')[0]}`;
  }
}
