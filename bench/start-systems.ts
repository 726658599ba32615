import type { BenchmarkOptions } from './benchmark-options.ts';
import type { ScenarioName, Skipped, SystemName } from './benchmark-report.ts';
import type { Entry } from './measure.ts';
import { allPeers } from './peers/all-peers.ts';
import type { PeerInputs } from './peers/peer.ts';
import { startTollgate } from './peers/tollgate.ts';
import { scenarios } from './scenarios.ts';
import type { SystemUnderTest } from './system-under-test.ts';

const isAble = (system: SystemName, scenario: ScenarioName): boolean =>
  !scenarios[scenario].isOwn || system === 'tollgate';

type Candidate = { name: SystemName; scenarios: ScenarioName[]; start: () => Promise<SystemUnderTest> };
export type StartedSystems = { entries: Entry[]; skipped: Skipped[] };

function listCandidates(inputs: PeerInputs, options: BenchmarkOptions): Candidate[] {
  const startGateway = (wholeCatalog: boolean) => () =>
    startTollgate(inputs, { buildCommand: options.buildGatewayCommand, wholeCatalog });
  const plain = options.scenarios.filter((name) => name !== 'models');
  const all: Candidate[] = [
    { name: 'direct', scenarios: plain, start: async () => directSystem(inputs) },
    ...allPeers
      .filter(({ name }) => options.peers.includes(name))
      .map((peer) => ({ name: peer.name, scenarios: plain, start: () => peer.start(inputs) })),
    { name: 'tollgate', scenarios: plain, start: startGateway(false) },
    // A second gateway, since only this scenario uses the whole catalog.
    {
      name: 'tollgate',
      scenarios: options.scenarios.filter((name) => name === 'models'),
      start: startGateway(true),
    },
  ];
  return all.filter(({ name, scenarios: theirs }) => theirs.some((scenario) => isAble(name, scenario)));
}

/** Returns the upstream as a system, with nothing in front. */
export const directSystem = ({ upstreamPort }: PeerInputs): SystemUnderTest => ({
  name: 'direct',
  pid: null,
  url: `http://127.0.0.1:${upstreamPort}`,
  headers: {},
});

/** Starts the selected systems. A system that does not start is omitted, with the reason. */
export async function startSystems(inputs: PeerInputs, options: BenchmarkOptions): Promise<StartedSystems> {
  const entries: Entry[] = [];
  const skipped: Skipped[] = [];
  for (const candidate of listCandidates(inputs, options)) {
    options.reportProgress(`starting ${candidate.name}`);
    try {
      const system = await candidate.start();
      const able = candidate.scenarios.filter((name) => isAble(system.name, name));
      entries.push(...able.map((name) => ({ scenario: scenarios[name], system })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const scenario = candidate.scenarios.length === 1 ? candidate.scenarios[0]! : null;
      skipped.push({ system: candidate.name, scenario, reason });
    }
  }
  const order = (entry: Entry) => options.scenarios.indexOf(entry.scenario.name);
  return { entries: entries.toSorted((left, right) => order(left) - order(right)), skipped };
}
