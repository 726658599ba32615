import { parseArgs } from 'node:util';
import { keysOf } from '../src/base/lib/records.ts';
import type { ScenarioName, SystemName } from './benchmark-report.ts';
import { parseList } from './parse-list.ts';
import { allPeers } from './peers/all-peers.ts';
import { type BuildGatewayCommand, buildGatewayCommand } from './peers/tollgate.ts';
import { scenarios } from './scenarios.ts';

const peerNames = allPeers.map(({ name }) => name);

export type BenchmarkOptions = {
  scenarios: ScenarioName[];
  seconds: number;
  connections: number;
  rounds: number;
  warmUpSeconds: number;
  streamIntervalMs: number;
  peers: SystemName[];
  buildGatewayCommand: BuildGatewayCommand;
  /** Reports progress, one line at a time. */
  reportProgress: (line: string) => void;
};

/** The default options. A run takes about two and a half minutes. */
export const defaultOptions: BenchmarkOptions = {
  scenarios: ['unary', 'agent', 'stream', 'translated', 'models'],
  seconds: 3,
  connections: 32,
  rounds: 3,
  warmUpSeconds: 3,
  streamIntervalMs: 2,
  peers: ['haproxy', 'bare-bun'],
  buildGatewayCommand,
  reportProgress: () => {},
};

export const benchmarkUsage = `Usage: bench [options]
  --scenario LIST     ${Object.keys(scenarios).join(',')} (default: all)
  --peers LIST        ${peerNames.join(',')} (default: haproxy,bare-bun)
  --seconds N         seconds of load per measurement (default 3)
  --rounds N          number of interleaved rounds (default 3)
  --connections N     connections in a closed loop (default 32)
  --warm-up N         seconds of load before the first round (default 3)
  --interval N        milliseconds between the events of a stream (default 2)
  --json              print the report as JSON
  --out FILE          write the JSON report to a file`;

export type BenchmarkArguments = {
  options: BenchmarkOptions;
  json: boolean;
  outFile: string | null;
  help: boolean;
};

const flags = {
  scenario: { type: 'string' },
  peers: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  connections: { type: 'string' },
  'warm-up': { type: 'string' },
  interval: { type: 'string' },
  json: { type: 'boolean', default: false },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function parseCount(text: string, flag: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${flag} must be an integer above 0`);
  return count;
}

/** Parses the arguments. Throws with a one-line message for an invalid one. */
export function parseBenchmarkArguments(argv: string[]): BenchmarkArguments {
  const { values } = parseArgs({ args: argv, options: flags });
  const count = (flag: 'seconds' | 'rounds' | 'connections' | 'warm-up' | 'interval', otherwise: number) =>
    values[flag] === undefined ? otherwise : parseCount(values[flag], flag);
  const names = keysOf(scenarios);
  const options: BenchmarkOptions = {
    ...defaultOptions,
    scenarios: values.scenario === undefined ? defaultOptions.scenarios : parseList(values.scenario, names),
    peers: values.peers === undefined ? defaultOptions.peers : parseList(values.peers, peerNames),
    seconds: count('seconds', defaultOptions.seconds),
    rounds: count('rounds', defaultOptions.rounds),
    connections: count('connections', defaultOptions.connections),
    warmUpSeconds: count('warm-up', defaultOptions.warmUpSeconds),
    streamIntervalMs: count('interval', defaultOptions.streamIntervalMs),
  };
  return { options, json: values.json, outFile: values.out ?? null, help: values.help };
}
