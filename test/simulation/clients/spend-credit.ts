import type { Asked } from './asked.ts';
import { dialectNames, openDialects } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_RUSH = 16;
const MAX_SPENDERS = 6;
const MAX_ASKS = 6;
/** A client asks again this long after an answer has ended at most. Its charge may still be written then. */
const MAX_REACTION_MS = 12;
const MAX_WAIT_MS = 8_000;

const accounts = [
  'purchased',
  'paying',
  'capped',
  'budgeted',
  'budgeted',
  'monthly',
  'monthly',
  'daily',
  'daily',
] as const;
type Spending = (typeof accounts)[number];

/** Asks for more than the account can pay for. */
export async function spendCredit(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  // The gateway may still be starting.
  await simulation.sleep(random.between(100, 1_000), 'client pauses');
  await random.of([rush, spendDown, spendDown])(clients, random.of(accounts));
}

/** Asks for everything at once. */
async function rush(clients: Clients, account: Spending): Promise<void> {
  const { random } = clients;
  const ask = () =>
    clients.ask({ account, model: random.of(['alpha', 'beta'] as const), ...formOf(clients) });
  await Promise.all(Array.from({ length: random.between(10, MAX_RUSH) }, ask));
}

/**
 * Lets several clients ask again as soon as the answer to any of them has ended.
 * Without a ceiling, a request holds all that is left.
 */
async function spendDown(clients: Clients, account: Spending): Promise<void> {
  const { random, simulation } = clients;
  const openShare = random.of([0, 0.5, 0.8]);
  const spend = async () => {
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const isOpen = random.chance(openShare);
      const model = isOpen ? 'gamma' : random.of(['alpha', 'beta', 'gamma'] as const);
      const { record } = await clients.ask({ account, model, isOpen, ...formOf(clients, { isOpen }) });
      if (record.status !== 200) await clients.nextUpstreamEnd(account, MAX_WAIT_MS);
      await simulation.sleep(random.skewed(0.1, MAX_REACTION_MS), 'client asks again');
    }
  };
  await Promise.all(Array.from({ length: random.between(3, MAX_SPENDERS) }, spend));
}

const formOf = ({ random }: Clients, { isOpen = false } = {}): Pick<Asked, 'dialect' | 'isStream'> => ({
  dialect: random.of(isOpen ? openDialects : dialectNames),
  isStream: random.chance(0.5),
});
