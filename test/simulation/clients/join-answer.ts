import type { Asked } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_READERS = 4;
const MAX_LATER_MS = 4_000;
const MAX_READS = 3;

/** Lets several clients ask with one idempotency key while the answer is made. */
export async function joinAnswer(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const same = {
    account: 'unlimited',
    model: random.of(['alpha', 'beta'] as const),
    dialect: random.of(dialectNames),
    isStream: random.chance(0.7),
    isResumable: random.chance(0.3),
    idempotencyKey: `key-${clients.newName()}`,
    marker: clients.newName(),
  } as const;
  const asking: Promise<Asked>[] = [];
  for (let count = random.between(2, MAX_READERS); count > 0; count--) {
    const leaves = random.chance(0.15) && { leavesAfterMs: random.skewed(1, MAX_LATER_MS) };
    const isSlow = random.chance(0.15) && { readsForMs: random.skewed(10, 800) };
    asking.push(clients.ask({ ...same, ...leaves, ...isSlow }));
    await simulation.sleep(random.skewed(0.1, MAX_LATER_MS), 'client joins');
  }
  await Promise.all(asking);
}

/** Asks for a stream that can be resumed, and reads it on other connections while it runs and afterwards. */
export async function resumeStream(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const asking = clients.ask({
    account: random.of(['unlimited', 'purchased', 'monthly'] as const),
    model: random.of(['alpha', 'beta'] as const),
    dialect: random.of(dialectNames),
    isStream: true,
    isResumable: true,
    ...(random.chance(0.4) && { leavesAfterMs: random.between(200, MAX_LATER_MS) }),
  });
  const asked = clients.asked.at(-1)!;
  const reading: Promise<void>[] = [];
  for (let count = random.between(1, MAX_READS); count > 0; count--) {
    await simulation.sleep(random.between(20, MAX_LATER_MS / 2), 'client resumes');
    reading.push(clients.resume(asked, random.chance(0.5) ? 'last frame' : 'beginning'));
  }
  await Promise.all([asking, ...reading]);
}
