import type { Receipt, WrittenEntry } from './entry.ts';

/** Whether the end of an answer was sent. `unknown`: the server ended at about that time. */
export type Delivery = 'yes' | 'no' | 'unknown';

export function deliveryOf({ outcome }: Receipt, { isUnconfirmed = false }: WrittenEntry): Delivery {
  if (outcome !== 'complete') return 'no';
  return isUnconfirmed ? 'unknown' : 'yes';
}
