import type { Receipt, WrittenEntry } from './entry.ts';

/**
 * The known end of an answer: whether it was sent. `unknown` means that the server ended at about that time.
 */
export type Delivery = 'yes' | 'no' | 'unknown';

/** Returns what is known about the end of an answer that was charged. */
export function deliveryOf({ outcome }: Receipt, { isUnconfirmed = false }: WrittenEntry): Delivery {
  if (outcome !== 'complete') return 'no';
  return isUnconfirmed ? 'unknown' : 'yes';
}
