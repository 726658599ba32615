import type { AccountName } from '../gateway/accounts.ts';
import { type ModelName, QUEUED } from '../gateway/configuration.ts';
import type { Asked } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_FIRST = 8;
const MAX_LATER = 8;
const MAX_GAP_MS = 2_000;
const MAX_LEAVING_MS = 6_000;

/** The accounts that ask later. The first one asks for more than the slots. */
const others = ['unlimited', 'other', 'other', 'launch', 'free'] as const satisfies readonly AccountName[];

/**
 * Lets one account ask for more than a vendor's slots, and others after it. Some clients leave the queue, and
 * their accounts ask again.
 */
export async function fillQueue(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  await simulation.sleep(random.between(100, 1_000), 'client pauses');
  const model: ModelName = random.of(QUEUED);
  const first = random.of(['unlimited', 'other'] as const);
  const asking: Promise<Asked>[] = [];
  const ask = (account: AccountName) =>
    asking.push(
      clients.ask({
        account,
        model,
        dialect: random.of(dialectNames),
        isStream: random.chance(0.7),
        ...(random.chance(0.2) && { leavesAfterMs: random.between(20, MAX_LEAVING_MS) }),
      }),
    );
  for (let count = random.between(3, MAX_FIRST); count > 0; count--) {
    ask(first);
    await simulation.sleep(random.skewed(0, 50), 'client asks');
  }
  for (let count = random.between(3, MAX_LATER); count > 0; count--) {
    await simulation.sleep(random.skewed(0, MAX_GAP_MS), 'client asks');
    ask(random.of(others));
  }
  await Promise.all(asking);
}
