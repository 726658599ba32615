import type { Draws } from '../kernel/draws.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_ASKS = 6;
/** The share of answers of the first substitute that fail as well. */
const FAILING_TWICE = 0.3;

/** Asks for `delta`, whose only vendor fails, so that another model answers. */
export async function askSubstitutes(clients: Clients, random: Draws): Promise<void> {
  const { simulation } = clients;
  const failure = () => ({ behaviour: random.of(['error 500', 'error 503'] as const) });
  for (let asks = random.between(2, MAX_ASKS); asks > 0; asks--) {
    await simulation.sleep(random.skewed(100, 4_000), 'client pauses');
    await clients.ask({
      account: random.of(['unlimited', 'purchased', 'monthly'] as const),
      model: 'delta',
      dialect: random.of(dialectNames),
      isStream: random.chance(0.5),
      script: { second: failure(), ...(random.chance(FAILING_TWICE) && { third: failure() }) },
    });
  }
}
