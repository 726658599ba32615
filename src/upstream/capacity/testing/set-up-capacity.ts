import assert from 'node:assert';
import { Capacity } from '../capacity.ts';
import type { SlotClaim, Slotted, WaitOutcome } from '../slot-claim.ts';
import { waitForSlot } from './wait-for-slot.ts';

export const one: Slotted = { id: 'one', maxConcurrent: 1 };
export const two: Slotted = { id: 'two', maxConcurrent: 1 };

const defaultClaim = {
  freeShare: 0,
  planClass: 'paid',
  bytes: 100,
  providers: [one],
  maxWaitMs: 60_000,
} as const;

/** Returns a capacity with a clock of its own, and records the outcomes of its requests. */
export function setUpCapacity(bounds?: { maxWaiting: number; maxWaitingBytes: number }) {
  const time = { now: 1_000 };
  const capacity = new Capacity({ now: () => time.now }, bounds);
  const served: string[] = [];
  const turnedAway: string[] = [];
  /** Requests that were asked to choose again, in their order. */
  const reconsidered: string[] = [];
  const outcomes = new Map<string, WaitOutcome<Slotted>>();
  /** The held slots, the oldest first. */
  const slots: { provider: Slotted; account: string }[] = [];

  const record = (name: string, account: string, outcome: WaitOutcome<Slotted>) => {
    outcomes.set(name, outcome);
    if (outcome.kind === 'slot') {
      served.push(name);
      slots.push({ provider: outcome.provider, account });
    } else if (outcome.kind === 'no-slot') turnedAway.push(`${name}: ${outcome.reason}`);
    else reconsidered.push(name);
  };
  /** Sends a request, which takes a slot or waits for one. The account has its name unless the claim says. */
  const wait = (name: string, changes: Partial<SlotClaim<Slotted>> = {}) => {
    const claim = { account: name, ...defaultClaim, ...changes };
    return waitForSlot(capacity, claim, (outcome) => record(name, claim.account, outcome));
  };
  /** Releases the oldest slot at the provider, of this account or of any. */
  const release = (provider = one, account?: string) => {
    const index = slots.findIndex(
      (slot) => slot.provider.id === provider.id && (account === undefined || slot.account === account),
    );
    assert(index >= 0, 'a slot is held');
    const [slot] = slots.splice(index, 1);
    capacity.release(provider, slot!.account);
  };
  /** Releases slots until no request has one at the provider. */
  const releaseAll = (provider = one) => {
    while (capacity.inUse(provider.id) > 0) release(provider);
  };
  /** Asks all queued requests to choose again. Returns their names in the order in which they may. */
  const chooseAgain = (): string[] => {
    reconsidered.length = 0;
    capacity.reconsider();
    return [...reconsidered];
  };
  return { time, capacity, served, turnedAway, outcomes, wait, release, releaseAll, chooseAgain };
}
