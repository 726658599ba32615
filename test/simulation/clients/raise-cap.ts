import { SMALL_CAP_USD } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Operators } from '../operators/operators.ts';
import { setCap } from '../operators/set-limits.ts';
import type { Asked } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const account = 'raised';
/** The raised cap is this many times the first one. */
const RAISED = 6;
const FIRST = { least: 1, most: 3 };
const FURTHER = { least: 4, most: 9 };

/**
 * Raises the cap of a key while requests hold most of the cap, and asks at once for more. The further
 * requests hold more than the first cap, from which the first requests are charged.
 */
export async function raiseCap(clients: Clients, operators: Operators, random: Draws): Promise<void> {
  const { simulation } = clients;
  const ask = (): Promise<Asked> =>
    clients.ask({ account, model: 'alpha', dialect: random.of(dialectNames), isStream: random.chance(0.7) });
  const askAtOnce = ({ least, most }: typeof FIRST): Promise<Asked>[] =>
    Array.from({ length: random.between(least, most) }, ask);
  await simulation.sleep(random.between(100, 3_000), 'client pauses');
  const first = askAtOnce(FIRST);
  await simulation.sleep(random.skewed(1, 500), 'operator pauses');
  await setCap(operators, RAISED * SMALL_CAP_USD * MICROCREDITS_PER_USD, account);
  await Promise.all([...first, ...askAtOnce(FURTHER)]);
}
