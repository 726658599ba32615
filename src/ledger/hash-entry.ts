import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';

/** Before an account's first entry. */
export const NO_HASH = '';

/** In a fixed order, so that the same entry has the same hash whoever reads it. */
export function hashEntry(entry: Entry, sequence: number, previousHash: string): string {
  const { id, accountId, at, kind, period, microcredits, receipt, reason } = entry;
  const fields = [previousHash, accountId, sequence, id, at, kind, period, microcredits, reason];
  return hash('sha256', JSON.stringify(receipt ? [...fields, ...receiptFields(receipt)] : fields), 'hex');
}

const receiptFields = (receipt: NonNullable<Entry['receipt']>) => [
  receipt.keyId,
  receipt.requestId,
  receipt.model,
  receipt.servedModel,
  ...[receipt.tokens.input, receipt.tokens.cachedInput, receipt.tokens.cacheWriteInput],
  ...[receipt.tokens.output, receipt.tokens.reasoning],
  ...[receipt.rates.input, receipt.rates.cachedInput, receipt.rates.output],
  receipt.heldMicrocredits,
  receipt.attempts,
  ...receipt.tried.flatMap(({ provider, model, outcome }) => [provider, model, outcome]),
  receipt.outcome,
  receipt.isEstimated,
];
