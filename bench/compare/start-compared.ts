import { messageOfError } from '../../src/base/lib/message-of-error.ts';
import type { SystemName } from '../benchmark-report.ts';
import { directSystem } from '../direct-system.ts';
import { allPeers } from '../peers/all-peers.ts';
import type { PeerInputs } from '../peers/peer.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { ComparisonRun } from './comparison-run.ts';

/** Starts Tollgate and its peers. A system that does not start is left out, with the reason. */
export async function startCompared(run: ComparisonRun, upstreamPort: number): Promise<SystemUnderTest[]> {
  const { systems, directory, options, report, skipped } = run;
  const inputs: PeerInputs = {
    children: systems,
    directory,
    upstreamPort,
    programs: options.programs,
  };
  const started: SystemUnderTest[] = [directSystem(inputs)];
  const start = async (name: SystemName, begin: () => Promise<SystemUnderTest>) => {
    report(`starting ${name}`);
    try {
      started.push(await begin());
    } catch (error) {
      if (!skipped.some((known) => known.system === name))
        skipped.push({ system: name, scenario: null, reason: messageOfError(error) });
    }
  };
  await start('tollgate', () =>
    startTollgate(inputs, { buildCommand: buildGatewayCommand, hasWholeCatalog: false }),
  );
  for (const peer of allPeers.filter(({ name }) => options.peers.includes(name)))
    await start(peer.name, () => peer.start(inputs));
  return started;
}
