import { readContents } from '../../../settings/snapshot/read-contents.ts';
import type { ConfigOrigin } from '../../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import { wires } from '../../../translation/canonical/wire.ts';
import { attemptCheck } from './attempt-check.ts';
import type { Check } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkDataDirectory } from './check-data-directory.ts';
import { checkDatabase } from './check-database.ts';
import { checkLimits } from './check-limits.ts';
import { checkLive } from './check-live.ts';
import { checkProviders } from './check-providers.ts';
import { checkRuntime } from './check-runtime.ts';
import { configurationFindings } from './configuration-findings.ts';
import { type Finding, fail, ok } from './finding.ts';
import { asMessage } from './finding-text.ts';

export type RunningServer = {
  origin: ConfigOrigin;
  snapshot: Snapshot;
  /** Returns the problem of the store, if it has one. */
  storeProblem(): Promise<string | undefined>;
};

export type ExaminedServer = { configFile: string | null; findings: readonly Finding[] };

const allWires = new Set(wires);

/** The files of the embedded store belong to the server, so they are not opened a second time. */
const checks: readonly Check[] = [
  checkRuntime,
  checkDataDirectory,
  checkDatabase,
  checkProviders,
  checkClock,
  checkLimits,
];

/**
 * Examines the server in which it runs: its environment, its limits, and the configuration that it serves.
 */
export async function examineRunning(
  server: RunningServer,
  { isLive }: { isLive: boolean },
): Promise<ExaminedServer> {
  const { config, providers, catalog } = server.snapshot;
  const { environment } = server.origin;
  const running = { providers, catalog: catalog.entries };
  const findings = [...(await checkFile(server)), await checkOpenStore(server)];
  for (const check of isLive ? [...checks, checkLive] : checks)
    findings.push(...(await attemptCheck(check, { config, environment, running })));
  return { configFile: server.origin.file, findings };
}

/** Checks the file as the next reload would read it. */
async function checkFile({ origin, snapshot }: RunningServer): Promise<Finding[]> {
  const contents = await readContents({ origin, supportedWires: allWires });
  const state = origin.file === null ? 'no file; the defaults are served' : `${origin.file} is valid`;
  return configurationFindings({
    problems: 'problems' in contents ? contents.problems : [],
    warnings: 'problems' in contents ? [] : contents.warnings,
    valid: `${state}, and generation ${snapshot.generation} is served`,
    otherwise: 'the server keeps its last configuration',
  });
}

async function checkOpenStore({ storeProblem }: RunningServer): Promise<Finding> {
  const problem = await storeProblem();
  if (problem === undefined) return ok('store', 'the running server reads and writes its store');
  return fail('store', asMessage(problem), 'see the log of the server');
}
