import type { Script } from '../vendors/vendor.ts';
import type { Asked } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_WAITING = 6;
/** The share of waiting requests whose first call fails. */
const FAILING = 0.8;

/**
 * Fills both vendors of `pair`. The slot of one is free after some seconds, and fails most requests that have
 * waited for it. They wait again for the other one, whose answers take seconds.
 */
export async function queueTwice(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  await simulation.sleep(random.between(100, 1_000), 'client pauses');
  const account = random.of(['unlimited', 'other'] as const);
  const asking: Promise<Asked>[] = [];
  const good = (least: number, most: number) =>
    ({ behaviour: 'good', afterMs: random.between(least, most) }) as const;
  const ask = async (script: Script) => {
    const form = { dialect: random.of(dialectNames), isStream: random.chance(0.2) };
    asking.push(clients.ask({ account, model: 'pair', script, ...form }));
    await simulation.sleep(random.between(30, 120), 'client asks');
  };
  const slow = () => good(4_800, 5_800);
  await ask({ left: good(2_000, 4_000), right: slow() });
  for (let count = 0; count < 2; count++) await ask({ left: slow(), right: slow() });
  for (let count = random.between(4, MAX_WAITING); count > 0; count--) {
    const behaviour = random.chance(FAILING) ? random.of(['error 500', 'error 503'] as const) : 'good';
    await ask({ left: { behaviour, afterMs: random.between(50, 150) }, right: good(2_000, 5_000) });
  }
  await Promise.all(asking);
}
