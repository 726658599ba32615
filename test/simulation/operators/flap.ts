import { dialectNames } from '../clients/bodies.ts';
import type { Clients } from '../clients/clients.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Operators } from './operators.ts';

const MAX_WAVES = 4;
const MAX_ASKS = 9;
const MAX_CHANGES = 60;
const MAX_ANSWER_MS = 400;
/** The share of calls that a provider refuses. The gateway pauses it. */
const REFUSED = 0.7;
/** The longest time between two waves. The provider that refuses is ready again by then. */
const PAUSE_MS = 3_000;
const provider = '/admin/v1/providers/tap';

/**
 * Drains a provider and ends it again, many times in a second, while requests wait for its slot. Their other
 * provider refuses most calls. Slots become free before the queue has chosen again.
 */
export async function flap(clients: Clients, operators: Operators, random: Draws): Promise<void> {
  const { simulation } = clients;
  await simulation.sleep(random.skewed(1_000, 60_000), 'operator pauses');
  const asking: Promise<unknown>[] = [];
  const from = simulation.now;
  for (let wave = random.between(2, MAX_WAVES); wave > 0; wave--) {
    for (let asks = random.between(5, MAX_ASKS); asks > 0; asks--) asking.push(askDrained(clients, random));
    await change(operators, random);
    await simulation.sleep(random.between(0, PAUSE_MS), 'operator pauses');
  }
  operators.flaps.push({ from, until: simulation.now });
  await Promise.all(asking);
}

async function change(operators: Operators, random: Draws): Promise<void> {
  const changing: Promise<unknown>[] = [];
  for (let count = random.between(MAX_CHANGES / 2, MAX_CHANGES); count > 0; count--) {
    const path = `${provider}/${count % 2 === 0 ? 'drain' : 'undrain'}`;
    changing.push(operators.ask({ method: 'POST', path, body: {} }));
    await operators.simulation.sleep(random.skewed(1, 60), 'operator changes a provider');
  }
  await Promise.all(changing);
  await operators.insist({ method: 'POST', path: `${provider}/undrain`, body: {} });
}

function askDrained(clients: Clients, random: Draws): Promise<unknown> {
  const afterMs = () => random.between(50, MAX_ANSWER_MS);
  return clients.ask({
    account: random.of(['unlimited', 'other'] as const),
    model: 'drained',
    dialect: random.of(dialectNames),
    isStream: false,
    script: {
      tap: { behaviour: 'good', afterMs: afterMs() },
      sink: { behaviour: random.chance(REFUSED) ? 'error 429' : 'good', afterMs: afterMs() },
    },
  });
}
