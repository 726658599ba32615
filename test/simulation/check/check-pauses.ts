import { QUEUED_AT, SLOTS } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { pausesOf } from './slot-spans.ts';

/** The longest pause of a vendor, and the end of what is under way. */
const MAX_PAUSE_MS = 61_000;
const MAX_ROUNDS = 3;
const FOR_EVER = Number.POSITIVE_INFINITY;

/** Checks that each vendor of `pair` gets requests again when all pauses are over, if one may have begun. */
export async function checkPauses({ simulation, clients, watch }: World): Promise<void> {
  const vendors = QUEUED_AT.pair!;
  const hasPaused = vendors.some((vendor) =>
    pausesOf(watch.calls.filter((call) => call.vendor === vendor)).some(({ until }) => until === FOR_EVER),
  );
  if (!hasPaused) return;
  const count = vendors.reduce((sum, vendor) => sum + SLOTS[vendor]!, 1);
  await simulation.sleep(MAX_PAUSE_MS, 'waits for the end of all pauses');
  const before = watch.calls.length;
  const findUnused = () => {
    const called = new Set(watch.calls.slice(before).map(({ vendor }) => vendor));
    return vendors.filter((vendor) => !called.has(vendor));
  };
  for (let round = 0; round < MAX_ROUNDS && findUnused().length > 0; round++) {
    const ask = () => clients.ask({ account: 'unlimited', model: 'pair', dialect: 'chat', isStream: false });
    await Promise.all(Array.from({ length: count }, ask));
  }
  const unused = findUnused();
  if (unused.length > 0) simulation.fail(`${unused.join()} gets no calls after all pauses`);
}
