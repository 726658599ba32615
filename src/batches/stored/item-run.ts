import type { Refusal } from '../../base/errors/refusal.ts';

/**
 * The end of an attempt. `canceled` and `expired` come from a provider. Undefined if the item was answered
 * and its result is written.
 */
export type ItemEnd = Refusal | 'canceled' | 'expired' | undefined;

/** An item that is being processed. */
export type ItemRun = {
  done: Promise<ItemEnd>;
  /** Reports whether an upstream has been called. */
  hasBegun(): boolean;
};
