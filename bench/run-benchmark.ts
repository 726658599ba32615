import {
  type BenchmarkArguments,
  type BenchmarkOptions,
  benchmarkUsage,
  defaultOptions,
  parseBenchmarkArguments,
} from './benchmark-options.ts';
import type { BenchmarkReport, Measurement, Skipped } from './benchmark-report.ts';
import { buildSummary } from './build-summary.ts';
import { formatReport } from './format-report.ts';
import { inSandbox } from './in-sandbox.ts';
import { type Bench, type Entry, findObstacle, measure } from './measure.ts';
import { readMachineFacts } from './read-machine-facts.ts';
import { startSystems } from './start-systems.ts';
import { startUpstream } from './start-upstream.ts';
import { requestBodies, streamFrames } from './workload.ts';

type Run = { bench: Bench; options: BenchmarkOptions };

/** Sends load before the first round. Without it, the first round would measure the runtimes' compilers. */
async function warmUp({ bench, options }: Run, entry: Entry): Promise<void> {
  const { scenario, system } = entry;
  options.reportProgress(`warming up ${scenario.name} ${system.name}`);
  const seconds = system.pid === null ? 1 : options.warmUpSeconds;
  await measure(bench, entry, { round: 0, seconds });
}

async function selectAble(run: Run, entries: readonly Entry[], skipped: Skipped[]): Promise<Entry[]> {
  const able: Entry[] = [];
  for (const entry of entries) {
    const reason = await findObstacle(entry);
    if (reason === null) able.push(entry);
    else skipped.push({ system: entry.system.name, scenario: entry.scenario.name, reason });
  }
  for (const entry of able) await warmUp(run, entry);
  return able;
}

async function measureRounds({ bench, options }: Run, entries: readonly Entry[]): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const entry of entries) {
      options.reportProgress(`round ${round} ${entry.scenario.name} ${entry.system.name}`);
      measurements.push(await measure(bench, entry, { round, seconds: options.seconds }));
    }
  }
  return measurements;
}

async function runWith(run: Run): Promise<BenchmarkReport> {
  const { bench, options } = run;
  const { children, directory } = bench;
  const startedAt = new Date().toISOString();
  const machine = readMachineFacts();
  const upstreamPort = await startUpstream({ ...bench, streamIntervalMs: options.streamIntervalMs });
  const { entries, skipped } = await startSystems(
    { children, directory, upstreamPort, programs: {} },
    options,
  );
  const measurements = await measureRounds(run, await selectAble(run, entries, skipped));
  const { scenarios, seconds, connections, rounds, warmUpSeconds, streamIntervalMs } = options;
  return {
    startedAt,
    machine,
    parameters: {
      scenarios,
      seconds,
      connections,
      rounds,
      warmUpSeconds,
      streamEvents: streamFrames.length,
      streamIntervalMs,
      requestBytes: requestBodies.unary.length,
    },
    summary: buildSummary(measurements),
    skipped,
    measurements,
  };
}

/** Measures the gateway and its peers. */
async function runBenchmark(given: Partial<BenchmarkOptions> = {}): Promise<BenchmarkReport> {
  const options = { ...defaultOptions, ...given };
  if (Bun.which('wrk') === null) throw new Error('wrk is missing: install the Debian package wrk');
  return inSandbox('bench', ({ directory, processes }) =>
    runWith({ bench: { children: processes(), directory, connections: options.connections }, options }),
  );
}

function readArguments(argv: string[]): BenchmarkArguments | null {
  try {
    return parseBenchmarkArguments(argv);
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Runs the command, prints the report and returns the exit code: 1 if the gateway could not be measured. */
export async function runBenchmarkCommand(argv: string[]): Promise<number> {
  const parsed = readArguments(argv);
  if (parsed === null) return 2;
  const { options, json, outFile, help } = parsed;
  if (help) {
    console.log(benchmarkUsage);
    return 0;
  }
  const reportProgress = process.stderr.isTTY ? (line: string) => console.error(line) : () => {};
  const report = await runBenchmark({ ...options, reportProgress });
  const serialized = JSON.stringify(report, null, 2);
  if (outFile !== null) await Bun.write(outFile, `${serialized}\n`);
  console.log(json ? serialized : formatReport(report));
  return report.summary.some(({ system }) => system === 'tollgate') ? 0 : 1;
}

if (import.meta.main) {
  try {
    process.exitCode = await runBenchmarkCommand(process.argv.slice(2));
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
