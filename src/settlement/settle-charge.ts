import type { ResponseStore } from '../responses/response-store.ts';
import type { Settle } from './charge.ts';
import { noteUsage } from './note-usage.ts';

/** Notes what was used and keeps what is to be kept, before the answer's last byte leaves: without it there is no answer. */
export const createSettle =
  (store: Pick<ResponseStore, 'saveResponse'>): Settle =>
  (charge) => {
    noteUsage(charge);
    return charge.response && store.saveResponse(charge.response);
  };
