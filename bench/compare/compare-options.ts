import { parseArgs } from 'node:util';
import type { SystemName } from '../benchmark-report.ts';
import type { Programs } from '../peers/find-program.ts';
import type { LoadCell } from './comparison.ts';

export type CompareOptions = {
  peers: SystemName[];
  programs: Programs;
  /** The folder for the page, its pictures and the results. `null` if the folder is temporary. */
  outFolder: string | null;
  /** True for a trial, whose results are not for the documentation. */
  isQuick: boolean;
  /** True if the comparison measures although other processes use the machine. */
  isLoadedAnyway: boolean;
  plan: Plan;
};

/** The measurements of a comparison, and their number. */
export type Plan = {
  loadRounds: number;
  streamRounds: number;
  seconds: number;
  warmUpSeconds: number;
  restSeconds: number;
  cells: readonly LoadCell[];
  streams: readonly number[];
  streamIntervalMs: number;
};

const fullPlan: Plan = {
  loadRounds: 4,
  streamRounds: 2,
  seconds: 2,
  warmUpSeconds: 4,
  restSeconds: 10,
  cells: [
    { scenario: 'unary', connections: 1 },
    { scenario: 'unary', connections: 8 },
    { scenario: 'unary', connections: 32 },
    { scenario: 'unary', connections: 128 },
    { scenario: 'agent', connections: 8 },
  ],
  streams: [16, 128, 512],
  streamIntervalMs: 20,
};

const quickPlan: Plan = {
  ...fullPlan,
  loadRounds: 1,
  streamRounds: 1,
  seconds: 1,
  warmUpSeconds: 1,
  restSeconds: 1,
  cells: fullPlan.cells.filter(({ connections }) => connections <= 8),
  streams: [16],
};

const defaultPeers: readonly SystemName[] = [
  'haproxy',
  'portkey',
  'litellm',
  'crabllm',
  'gomodel',
  'ferro',
  'busbar',
];

export const compareUsage = `Usage: node scripts/run.mjs bench/compare.ts [options]
  --install            install the missing peers that npm, pip and cargo have, and end
  --peers LIST         ${defaultPeers.join(',')} (default: all)
  --program NAME=PATH  the program of a peer, such as gomodel=/opt/gomodel; can be repeated
  --out FOLDER         the folder for benchmarks.md, its pictures and the results (default: docs)
  --quick              a trial of a minute; it writes to a temporary folder unless --out names one
  --loaded-anyway      measure although other processes use the machine; it writes like --quick`;

type CompareArguments = { options: CompareOptions; isInstall: boolean; isHelp: boolean };

const flags = {
  install: { type: 'boolean', default: false },
  peers: { type: 'string' },
  program: { type: 'string', multiple: true },
  out: { type: 'string' },
  quick: { type: 'boolean', default: false },
  'loaded-anyway': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function parsePeers(text: string): SystemName[] {
  return text.split(',').map((word) => {
    const name = findPeer(word.trim());
    if (name === undefined) throw new Error(`'${word}' is not one of ${defaultPeers.join(', ')}`);
    return name;
  });
}

const findPeer = (word: string): SystemName | undefined => defaultPeers.find((peer) => peer === word);

function parseProgram(text: string): [SystemName, string] {
  const [word = '', ...rest] = text.split('=');
  const name = findPeer(word);
  const path = rest.join('=');
  if (name === undefined || path === '')
    throw new Error(`--program ${text} is not NAME=PATH with one of ${defaultPeers.join(', ')}`);
  return [name, path];
}

/** Parses the arguments. Throws with a one-line message for an invalid one. */
export function parseCompareArguments(argv: string[]): CompareArguments {
  const { values } = parseArgs({ args: argv, options: flags });
  // The results of a trial are not published by themselves.
  const isTrial = values.quick || values['loaded-anyway'];
  return {
    options: {
      peers: values.peers === undefined ? [...defaultPeers] : parsePeers(values.peers),
      programs: Object.fromEntries((values.program ?? []).map(parseProgram)),
      outFolder: values.out ?? (isTrial ? null : 'docs'),
      isQuick: isTrial,
      isLoadedAnyway: values['loaded-anyway'],
      plan: values.quick ? quickPlan : fullPlan,
    },
    isInstall: values.install,
    isHelp: values.help,
  };
}
