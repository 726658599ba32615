import { messageOfError } from '../src/base/lib/message-of-error.ts';
import type { BenchmarkOptions } from './benchmark-options.ts';
import type { ScenarioName, Skipped, SystemName } from './benchmark-report.ts';
import { directSystem } from './direct-system.ts';
import type { Entry } from './measure.ts';
import { allPeers } from './peers/all-peers.ts';
import type { PeerInputs } from './peers/peer.ts';
import { startTollgate } from './peers/tollgate.ts';
import { scenarios } from './scenarios.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** A system, and the selected scenarios that it is measured with. */
type Candidate = { name: SystemName; scenarios: ScenarioName[]; start: () => Promise<SystemUnderTest> };
type StartedSystems = { entries: Entry[]; skipped: Skipped[] };

function listCandidates(inputs: PeerInputs, options: BenchmarkOptions): Candidate[] {
  const startGateway = (hasWholeCatalog: boolean) => () =>
    startTollgate(inputs, { buildCommand: options.buildGatewayCommand, hasWholeCatalog });
  const plain = options.scenarios.filter((name) => name !== 'models');
  const ofAllSystems = plain.filter((name) => !scenarios[name].isOwn);
  const all: Candidate[] = [
    { name: 'direct', scenarios: ofAllSystems, start: async () => directSystem(inputs) },
    ...allPeers
      .filter(({ name }) => options.peers.includes(name))
      .map((peer) => ({ name: peer.name, scenarios: ofAllSystems, start: () => peer.start(inputs) })),
    { name: 'tollgate', scenarios: plain, start: startGateway(false) },
    // A second gateway, since only this scenario uses the whole catalog.
    {
      name: 'tollgate',
      scenarios: options.scenarios.filter((name) => name === 'models'),
      start: startGateway(true),
    },
  ];
  return all.filter((candidate) => candidate.scenarios.length > 0);
}

/** Starts the selected systems. A system that does not start is omitted, with the reason. */
export async function startSystems(inputs: PeerInputs, options: BenchmarkOptions): Promise<StartedSystems> {
  const entries: Entry[] = [];
  const skipped: Skipped[] = [];
  for (const candidate of listCandidates(inputs, options)) {
    options.reportProgress(`starting ${candidate.name}`);
    try {
      const system = await candidate.start();
      entries.push(...candidate.scenarios.map((name) => ({ scenario: scenarios[name], system })));
    } catch (error) {
      const { name, scenarios: names } = candidate;
      const [scenario = null] = names.length === 1 ? names : [];
      skipped.push({ system: name, scenario, reason: messageOfError(error) });
    }
  }
  const order = (entry: Entry) => options.scenarios.indexOf(entry.scenario.name);
  return { entries: entries.toSorted((left, right) => order(left) - order(right)), skipped };
}
