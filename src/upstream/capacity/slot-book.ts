import { ProviderSlots, type SlotShare } from './provider-slots.ts';
import { candidatesOf, type SlotClaim, type Slotted } from './slot-claim.ts';

/** Returns the configured number of slots at a provider. It is infinite if there is no limit. */
export const slotLimitOf = ({ maxConcurrent }: Slotted): number => maxConcurrent ?? Number.POSITIVE_INFINITY;

/** Holds the slots of each provider, and predicts the waits of requests from them. */
export class SlotBook<P extends Slotted, T> {
  readonly #byProvider = new Map<string, ProviderSlots<T>>();
  /** Shares of providers whose slots other processes use too. A share may be set before the first request. */
  readonly #shares = new Map<string, SlotShare>();

  slotsOf(provider: P): ProviderSlots<T> {
    let slots = this.#byProvider.get(provider.id);
    if (!slots) {
      slots = new ProviderSlots(slotLimitOf(provider), this.#shares.get(provider.id));
      this.#byProvider.set(provider.id, slots);
    }
    return slots;
  }

  /** Returns the slots of a provider. Undefined before the first request that asks for one. */
  find(providerId: string): ProviderSlots<T> | undefined {
    return this.#byProvider.get(providerId);
  }

  everySlots(): Iterable<ProviderSlots<T>> {
    return this.#byProvider.values();
  }

  /** Sets or removes the share of a provider. Returns its slots if there are any yet. */
  setShare(providerId: string, share: SlotShare | undefined): ProviderSlots<T> | undefined {
    if (share) this.#shares.set(providerId, share);
    else this.#shares.delete(providerId);
    const slots = this.#byProvider.get(providerId);
    if (slots) slots.share = share;
    return slots;
  }

  /** Counts the slots of the account at all targets, since a request that chooses again may go to any. */
  heldAtCandidates(claim: SlotClaim<P>): number {
    return candidatesOf(claim).reduce(
      (sum, provider) => sum + this.slotsOf(provider).heldBy(claim.account),
      0,
    );
  }

  /** Predicts the wait at the provider with the shortest queue for this claim, or 0 if nothing is known. */
  shortestWaitMs({ providers, planClass, account }: SlotClaim<P>): number {
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const provider of providers) {
      const slots = this.slotsOf(provider);
      shortestMs = Math.min(shortestMs, slots.pace.waitMs(slots.ahead(planClass, account)) ?? 0);
    }
    return shortestMs === Number.POSITIVE_INFINITY ? 0 : shortestMs;
  }

  /** Estimates the wait of another request of that account. It is infinite if nothing is known. */
  likelyWaitMs(provider: P, planClass: SlotClaim<P>['planClass'], account: string): number {
    const slots = this.slotsOf(provider);
    return slots.flow.waitMs(slots.ahead(planClass, account)) ?? Number.POSITIVE_INFINITY;
  }
}
