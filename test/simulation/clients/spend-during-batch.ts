import { nativeModels } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import { openDialects } from './bodies.ts';
import { newClientBatch } from './client-batch.ts';
import type { Clients } from './clients.ts';

const account = 'itemized';
const ITEMS = { least: 2, most: 4 };
const ASKS = { least: 4, most: 20 };
const MAX_PAUSE_MS = 6_000;

/**
 * Spends the cap of a key while items of its batch are at a provider. Each request holds all that the items
 * leave of the cap.
 */
export async function spendDuringBatch(clients: Clients, random: Draws): Promise<void> {
  const { simulation } = clients;
  await simulation.sleep(random.between(100, 3_000), 'client pauses');
  const batch = newClientBatch(clients.newName(), account, random.between(ITEMS.least, ITEMS.most));
  await clients.createBatch(batch, { model: random.of(nativeModels), mode: 'native-required' });
  for (let asks = random.between(ASKS.least, ASKS.most); asks > 0; asks--) {
    await simulation.sleep(random.skewed(1, MAX_PAUSE_MS), 'client pauses');
    const form = { dialect: random.of(openDialects), isStream: random.chance(0.5), isOpen: true };
    await clients.ask({ account, model: 'gamma', ...form });
  }
}
