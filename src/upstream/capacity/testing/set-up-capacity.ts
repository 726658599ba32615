import { Capacity } from '../capacity.ts';
import type { SlotClaim, Slotted, WaitOutcome } from '../slot-claim.ts';
import { waitForSlot } from './wait-for-slot.ts';

export const one: Slotted = { id: 'one', maxConcurrent: 1 };
export const two: Slotted = { id: 'two', maxConcurrent: 1 };

/** Returns a capacity with a clock of its own, and records what its requests got. */
export function setUpCapacity(bounds?: { maxWaiting: number; maxWaitingBytes: number }) {
  const time = { now: 1_000 };
  const capacity = new Capacity({ now: () => time.now }, bounds);
  const served: string[] = [];
  const turnedAway: string[] = [];
  const outcomes = new Map<string, WaitOutcome<Slotted>>();
  const holding: { provider: Slotted; account: string }[] = [];
  const wait = (name: string, claim: Partial<SlotClaim<Slotted>> = {}) => {
    const whole = {
      account: name,
      planClass: 'paid',
      bytes: 100,
      providers: [one],
      maxWaitMs: 60_000,
    } as const;
    const asked = { freeShare: 0, ...whole, ...claim };
    return waitForSlot(capacity, asked, (outcome) => {
      outcomes.set(name, outcome);
      if (outcome.kind === 'slot') {
        served.push(name);
        holding.push({ provider: outcome.provider, account: asked.account });
      } else if (outcome.kind === 'no-slot') turnedAway.push(`${name}: ${outcome.reason}`);
    });
  };
  /** Releases the oldest held slot at the provider, of the named account if there is one. */
  const release = (provider = one, account?: string) => {
    const longest = holding.findIndex(
      (one) => one.provider.id === provider.id && (account === undefined || one.account === account),
    );
    const [ended] = holding.splice(longest, 1);
    capacity.release(provider, ended!.account);
  };
  /** Releases the slot each time that a request is served with it. */
  const releaseAll = (provider = one) => {
    while (capacity.inUse(provider.id) > 0) release(provider);
  };
  /** Lets all queued requests choose again. Returns their names in the order in which they may. */
  const chooseAgain = (): string[] => {
    const changed: string[] = [];
    const record = outcomes.set.bind(outcomes);
    outcomes.set = (name, outcome) => {
      if (outcome.kind === 'changed') changed.push(name);
      return record(name, outcome);
    };
    capacity.reconsider();
    outcomes.set = record;
    return changed;
  };
  return { time, capacity, served, turnedAway, outcomes, wait, release, releaseAll, chooseAgain };
}
