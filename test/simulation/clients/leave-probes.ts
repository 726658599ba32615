import { FIRST_BYTE_MS } from '../gateway/configuration.ts';
import type { Script } from '../vendors/vendor.ts';
import type { Asked } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Ask, Clients } from './clients.ts';

/** The gateway pauses a vendor after this number of timeouts in a row. */
const TIMEOUTS = 3;
const MAX_LEAVING = 3;
const MAX_LATER = 2;

/**
 * Asks a vendor of `pair` that is silent until the gateway pauses it. After the pause some clients leave
 * while their request tries the vendor, and others ask later.
 */
export async function leaveProbes(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  await simulation.sleep(random.between(100, 1_000), 'client pauses');
  const asking: Promise<Asked>[] = [];
  const ask = (script: Script, manners: Pick<Ask, 'leavesAfterMs'> = {}) =>
    asking.push(
      clients.ask({
        account: random.of(['unlimited', 'other'] as const),
        model: 'pair',
        dialect: random.of(dialectNames),
        isStream: random.chance(0.5),
        script,
        ...manners,
      }),
    );
  const right = { behaviour: 'good', afterMs: 100 } as const;
  for (let count = 0; count < TIMEOUTS; count++) {
    ask({ left: { behaviour: 'silent' }, right });
    await simulation.sleep(FIRST_BYTE_MS + random.between(100, 400), 'waits for a timeout');
  }
  await simulation.sleep(random.between(5_000, 12_000), 'waits for the end of a pause');
  for (let count = random.between(1, MAX_LEAVING); count > 0; count--) {
    ask({ left: { behaviour: 'silent' }, right }, { leavesAfterMs: random.between(50, 350) });
    await simulation.sleep(random.between(50, 500), 'client asks');
  }
  for (let count = random.between(0, MAX_LATER); count > 0; count--) {
    await simulation.sleep(random.skewed(10, 3_000), 'client asks');
    ask({});
  }
  await Promise.all(asking);
}
