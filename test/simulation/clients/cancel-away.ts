import { nativeModels } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { NativeBatch } from '../vendors/native-batch.ts';
import type { World } from '../world.ts';
import { newClientBatch } from './client-batch.ts';

const account = 'unlimited';
const ITEMS = { least: 2, most: 6 };
const LOOK_MS = 200;
const MAX_LOOKS = 100;
/** The longest time that the vendor works on the batch before its client cancels it. */
const MAX_WORK_MS = 20_000;
const MAX_ATTEMPTS = 5;

/** Cancels a batch whose items are at a vendor that has answered some of them. */
export async function cancelAway({ clients, watch }: World, random: Draws): Promise<void> {
  const { simulation } = clients;
  await simulation.sleep(random.between(100, 3_000), 'client pauses');
  const batch = newClientBatch(clients.newName(), account, random.between(ITEMS.least, ITEMS.most));
  await clients.createBatch(batch, { model: random.of(nativeModels), mode: 'native-required' });
  if (batch.id === undefined) return;
  let away: NativeBatch | undefined;
  for (let looks = 0; looks < MAX_LOOKS && !away?.isPolled; looks++) {
    await simulation.sleep(LOOK_MS, 'client pauses');
    [away] = watch.batchesWith(batch.markers[0]!);
  }
  if (!away) return;
  const leftMs = Math.min(away.endsAt - simulation.now, MAX_WORK_MS);
  await simulation.sleep(leftMs * random.next(), 'client cancels');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if ((await clients.cancelBatch(batch)).status === 200) return;
    await simulation.sleep(1_000, 'client pauses');
  }
}
