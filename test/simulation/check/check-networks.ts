import { type Asked, refusalCodeOf } from '../clients/asked.ts';
import { networkOf, USUAL_ADDRESS } from '../clients/networks.ts';
import { accountSpecs } from '../gateway/accounts.ts';
import { NETWORK_REQUESTS_PER_MINUTE } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { MAX_LATE_MS } from './check-token-window.ts';

const WINDOW_MS = 60_000;
const BIN_MS = 1_000;

const ofRequest = ({ record }: Asked): string => networkOf(record.asking.from ?? USUAL_ADDRESS);

/**
 * Checks that the limit that Free accounts share in each network holds, and that no request is refused below
 * it.
 */
export function checkNetworks(world: World, group: readonly Asked[]): void {
  const free = group.filter(({ account }) => accountSpecs[account].plan === 'free');
  for (const [network, asked] of Map.groupBy(free, ofRequest)) checkNetwork(world, network, asked);
}

function checkNetwork(
  { watch, simulation, database }: World,
  network: string,
  asked: readonly Asked[],
): void {
  const served = asked.flatMap(({ marker, record }) => {
    const call = watch.callsOf(marker)[0];
    return call ? [{ from: record.startedAt, until: call.at }] : [];
  });
  // A database that crashes forgets what its nodes do not restore.
  for (const last of (database?.crashes.length ?? 0) > 0 ? [] : served) {
    const inside = served.filter(({ from, until }) => from > last.until - WINDOW_MS && until <= last.until);
    if (inside.length > NETWORK_REQUESTS_PER_MINUTE)
      simulation.fail(
        `${inside.length} requests from ${network} in a minute, of ${NETWORK_REQUESTS_PER_MINUTE}`,
      );
  }
  for (const refused of asked.filter((one) => refusalCodeOf(one) === 'network_rate_limited')) {
    const { startedAt, endedAt = simulation.now } = refused.record;
    const earliest = startedAt - WINDOW_MS - BIN_MS - MAX_LATE_MS;
    const others = asked.filter(
      ({ record }) => record.status !== 429 && record.startedAt <= endedAt && record.startedAt > earliest,
    );
    if (others.length < NETWORK_REQUESTS_PER_MINUTE)
      simulation.fail(`${refused.marker} was refused with ${others.length} requests from ${network}`);
  }
}
