import type { Refusal } from '../../base/errors/refusal.ts';

/**
 * The end of an attempt. It is undefined if the item was answered and its result is written. `canceled` and
 * `expired` come from a provider.
 */
export type ItemEnd = Refusal | 'canceled' | 'expired' | undefined;

/** An item that is being processed. */
export type ItemRun = {
  done: Promise<ItemEnd>;
  /** Reports whether an upstream has been called. */
  hasBegun(): boolean;
};
