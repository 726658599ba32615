import type { AccountName } from '../gateway/accounts.ts';

/** A batch, as its client knows it. */
export type ClientBatch = {
  readonly markers: readonly string[];
  readonly account: AccountName;
  readonly idempotencyKey: string;
  /** Undefined if no answer to its creation came. */
  id: string | undefined;
  /** True if the client has asked for its end. */
  isCanceled: boolean;
};

/** Makes a batch that its client has not created yet. `name` is a part of the names of its items. */
export const newClientBatch = (name: string, account: AccountName, items: number): ClientBatch => ({
  markers: Array.from({ length: items }, (_, item) => `${name}-${item}`),
  account,
  idempotencyKey: `batch-${name}`,
  id: undefined,
  isCanceled: false,
});
