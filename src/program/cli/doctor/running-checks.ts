import { formatProblem } from '../../../settings/config/config-problem.ts';
import { readContents } from '../../../settings/snapshot/read-contents.ts';
import type { ConfigOrigin } from '../../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import { wires } from '../../../translation/canonical/wire.ts';
import { checkClock } from './check-clock.ts';
import { checkDataDirectory } from './check-data-directory.ts';
import { checkLimits } from './check-limits.ts';
import { checkLive } from './check-live.ts';
import { checkProviders } from './check-providers.ts';
import { checkRuntime } from './check-runtime.ts';
import { checkHosts } from './check-store.ts';
import { type Check, type Finding, fail, ok, warn } from './finding.ts';

export type RunningServer = {
  origin: ConfigOrigin;
  snapshot: Snapshot;
  /** Returns the problem of the store, if it has one. */
  storeProblem(): Promise<string | undefined>;
};

/** The files of the embedded store belong to the server, so they are not opened a second time. */
const checks: readonly Check[] = [
  checkRuntime,
  checkDataDirectory,
  checkHosts,
  checkProviders,
  checkClock,
  checkLimits,
];

/**
 * Examines the server in which it runs: its environment, its limits, and the configuration that it serves.
 */
export async function examineRunning(server: RunningServer, { isLive }: { isLive: boolean }) {
  const { config, providers, catalog } = server.snapshot;
  const { environment } = server.origin;
  const running = { providers, catalog: catalog.entries };
  const findings = [...(await checkFile(server)), await checkOpenStore(server)];
  for (const check of isLive ? [...checks, checkLive] : checks)
    findings.push(...(await attempt(check, { config, environment, running })));
  return { configFile: server.origin.file, findings };
}

async function attempt(check: Check, input: Parameters<Check>[0]): Promise<Finding[]> {
  try {
    return await check(input);
  } catch (error) {
    const message = `a check did not run: ${(error as Error).message}`;
    return [warn('doctor', message, 'check the permissions of the server')];
  }
}

/** Checks the file as the next reload would read it. */
async function checkFile({ origin, snapshot }: RunningServer): Promise<Finding[]> {
  const contents = await readContents({ origin, spoken: new Set(wires) });
  const sentenceOf = (problem: Parameters<typeof formatProblem>[0]) =>
    formatProblem(problem).replace(/\.$/, '');
  if ('problems' in contents)
    return contents.problems.map((problem) =>
      fail(
        'configuration',
        sentenceOf(problem),
        'correct the field; the server keeps its last configuration',
      ),
    );
  const name = origin.file ?? 'no file; the defaults';
  const verb = origin.file === null ? 'are served' : 'is valid';
  return [
    ok('configuration', `${name} ${verb}, and generation ${snapshot.generation} is served`),
    ...contents.warnings.map((problem) =>
      warn('configuration', sentenceOf(problem), 'correct the field if it is not meant'),
    ),
  ];
}

async function checkOpenStore({ storeProblem }: RunningServer): Promise<Finding> {
  const problem = await storeProblem();
  if (problem === undefined) return ok('store', 'the running server reads and writes its store');
  return fail('store', problem.replace(/\.$/, ''), 'see the log of the server');
}
