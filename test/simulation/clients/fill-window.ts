import { LIMITS, type LimitedAccount, NETWORK_REQUESTS_PER_MINUTE } from '../gateway/configuration.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';
import { NETWORKS } from './networks.ts';

/** The windows of minutes have bins of a second. */
const BIN_MS = 1_000;
const WINDOW_MS = 60_000;
/** The share of clients that fill the window of a network. */
const NETWORK_SHARE = 0.3;
/** The client asks for as long as the first bin takes to leave, and somewhat longer. */
const ASKS_AT_END = 8;

/**
 * Fills the window of a limit from the edges of one of its bins, and asks again as its first request leaves
 * it.
 */
export async function fillWindow(clients: Clients): Promise<void> {
  const { random } = clients;
  if (random.chance(NETWORK_SHARE)) return fillNetwork(clients);
  const account = random.of(Object.keys(LIMITS) as LimitedAccount[]);
  const form = () => ({ dialect: random.of(dialectNames), isStream: random.chance(0.3) });
  const ask = () => clients.ask({ account, model: 'alpha', ...form() });
  await fill(clients, ask, LIMITS[account].requestsPerMinute);
}

/** Two accounts in turn fill the window of a network. */
async function fillNetwork(clients: Clients): Promise<void> {
  const { random } = clients;
  const network = random.of(NETWORKS);
  let count = 0;
  const ask = () =>
    clients.ask({
      account: count++ % 2 === 0 ? 'free' : 'guest',
      model: 'alpha',
      dialect: random.of(dialectNames),
      isStream: random.chance(0.3),
      from: random.of(network),
    });
  await fill(clients, ask, NETWORK_REQUESTS_PER_MINUTE);
}

async function fill(clients: Clients, ask: () => Promise<unknown>, limit: number): Promise<void> {
  const { random, simulation } = clients;
  await simulation.sleep(random.between(100, 3_000), 'client pauses');
  await simulation.sleep(
    BIN_MS - (simulation.wallTime() % BIN_MS) + random.skewed(1, 100),
    'waits for a bin',
  );
  const firstAt = simulation.now;
  const asking = [ask()];
  await simulation.sleep(random.between(600, 850), 'waits for the end of the bin');
  asking.push(ask());
  await Promise.all(asking);
  for (let count = 2; count < limit; count++) await ask();
  const leavesAt = firstAt + WINDOW_MS;
  await simulation.sleep(leavesAt - simulation.now - random.skewed(1, 100), 'waits for the window');
  for (let count = 0; count < ASKS_AT_END; count++) {
    asking.push(ask());
    await simulation.sleep(random.between(50, 300), 'client asks again');
  }
  await Promise.all(asking);
}
