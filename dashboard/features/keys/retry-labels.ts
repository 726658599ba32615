import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';

/** The choices of which repeated requests of a key get the answer of the first one. */
export const retryLabels: Readonly<Record<ListedKey['retries'], string>> = {
  none: 'Each request is made',
  keyed: 'Requests with the same Idempotency-Key share one answer',
  join: 'Retries of SDKs share the answer too',
};
