import { accountNames, accountSpecs } from '../gateway/accounts.ts';
import { nativeModels, QUEUED } from '../gateway/configuration.ts';
import { type Asked, isAnswered, responseIdOf } from './asked.ts';
import { dialectNames, openDialects } from './bodies.ts';
import { newClientBatch } from './client-batch.ts';
import type { Clients } from './clients.ts';
import { converse } from './converse.ts';
import { joinAnswer, resumeStream } from './join-answer.ts';
import { runInBackground } from './run-in-background.ts';

/** The processing modes: one request after the other, or the batch API of the vendor. */
const batchModes = ['standard', 'native-preferred', 'native-required'] as const;
/** The share of batches that their clients cancel. */
const CANCELED = 0.2;
/** The share of the other batches whose creation is repeated later. */
const REPEATED = 0.4;
/** The longest batch. */
const MAX_ITEMS = 4;
/** The most requests that a client makes at once. */
const MAX_BURST = 9;
/** A client that gets no answer gives up after its last attempt. */
const MAX_ATTEMPTS = 8;

type ClientAction = { weight: number; run(clients: Clients): Promise<void> };

const actions: Record<string, ClientAction> = {
  ask: { weight: 60, run: (clients) => askOnce(clients) },
  stored: { weight: 10, run: (clients) => askOnce(clients, { isStored: true }) },
  burst: { weight: 8, run: burst },
  insist: { weight: 8, run: insist },
  join: { weight: 6, run: joinAnswer },
  resume: { weight: 4, run: resumeStream },
  batch: { weight: 6, run: createBatch },
  background: { weight: 5, run: runInBackground },
  converse: { weight: 2, run: converse },
  read: { weight: 5, run: readStored },
  'read usage': { weight: 4, run: async (clients) => void (await clients.get('unlimited', '/v1/usage')) },
};

/** Does one of the things that clients do. */
export const act = (clients: Clients): Promise<void> => clients.random.row(actions).run(clients);

async function askOnce(clients: Clients, { isStored = false } = {}): Promise<void> {
  const { random } = clients;
  const account = random.of(accountNames);
  const model = random.of(accountSpecs[account].models);
  const isOpen = model === 'gamma' && account !== 'paced' && random.chance(0.5);
  const { record } = await clients.ask({
    account,
    model,
    dialect: isStored ? 'responses' : random.of(isOpen ? openDialects : dialectNames),
    isStored,
    isStream: random.chance(0.6),
    isOpen,
    isLong: (account === 'paced' || account === 'launch') && random.chance(0.5),
    ...mannersOf(clients),
  });
  if (record.ending === 'refused connection') await clients.simulation.sleep(1_000, 'client waits');
}

/** Draws the behaviour of the client on its connection. */
function mannersOf({ random }: Clients): { leavesAfterMs?: number; readsForMs?: number } {
  if (random.chance(0.06)) return { leavesAfterMs: random.skewed(1, 6_000) };
  if (random.chance(0.08)) return { leavesAfterMs: random.between(500, 4_000) };
  return random.chance(0.05) ? { readsForMs: random.skewed(10, 800) } : {};
}

/** Makes many requests at once, for a limit, for the last credits, or for the few slots of a provider. */
async function burst(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const isForSlots = random.chance(0.4);
  const account = random.of(accountNames);
  const queued = random.of(QUEUED);
  const gapMs = random.of([0, 5, 200, 800]);
  const asking: Promise<Asked>[] = [];
  for (let count = random.between(3, MAX_BURST); count > 0; count--) {
    const one = isForSlots ? random.of(['unlimited', 'unlimited', 'free'] as const) : account;
    const model = isForSlots ? queued : random.of(accountSpecs[one].models);
    asking.push(
      clients.ask({
        account: one,
        model,
        dialect: random.of(dialectNames),
        isStream: random.chance(0.5),
        // Some leave the queue.
        ...(isForSlots && random.chance(0.2) && { leavesAfterMs: random.between(20, 3_000) }),
      }),
    );
    await simulation.sleep(gapMs * random.next());
  }
  await Promise.all(asking);
}

/**
 * Repeats a request until an answer comes, as a client does whose connection is cut, and sometimes once more.
 */
async function insist(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const same = {
    account: 'unlimited' as const,
    model: random.of(['alpha', 'beta'] as const),
    dialect: random.of(dialectNames),
    isStream: random.chance(0.5),
    idempotencyKey: `key-${clients.newName()}`,
    marker: clients.newName(),
  };
  const leaves = random.chance(0.3) ? { leavesAfterMs: random.skewed(1, 2_000) } : {};
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const asked = await clients.ask({ ...same, ...(attempt === 1 && leaves) });
    if (isAnswered(asked) && asked.record.ending === 'whole' && random.chance(0.5)) return;
    await simulation.sleep(random.skewed(1, 3_000));
  }
}

async function createBatch(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const account = random.of(['unlimited', 'monthly', 'batched', 'batched'] as const);
  const batch = newClientBatch(clients.newName(), account, random.between(1, MAX_ITEMS));
  const mode = random.of(batchModes);
  const models = mode.startsWith('native') ? nativeModels : (['alpha', 'beta'] as const);
  const way = { model: random.of(models), mode };
  await clients.createBatch(batch, way);
  if (batch.id === undefined) return;
  if (random.chance(CANCELED)) {
    await simulation.sleep(random.skewed(1, 10_000), 'client cancels');
    await clients.cancelBatch(batch);
  } else if (random.chance(REPEATED)) {
    await simulation.sleep(random.skewed(1, 20_000), 'client repeats');
    await clients.repeatCreation(batch, way);
  }
}

async function readStored(clients: Clients): Promise<void> {
  const stored = clients.asked.filter((one) => one.isStored && isAnswered(one));
  if (stored.length === 0) return;
  const one = clients.random.of(stored);
  const id = responseIdOf(one);
  if (id) await clients.get(one.account, `/v1/responses/${id}`);
}
