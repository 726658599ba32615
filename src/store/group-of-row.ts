import type { KeptGroup } from '../watch/requests/request-store.ts';
import type { CommonRow } from './common-queries.ts';
import { unpackLines } from './request-packing.ts';
import { bytes, number, text } from './row-columns.ts';

/** Reads a group of records of requests, and decompresses its lines. */
export const groupOfRow = (row: CommonRow): KeptGroup => ({
  sequence: number(row, 'sequence'),
  accountId: text(row, 'account_id'),
  endedAt: number(row, 'ended_at'),
  firstId: text(row, 'first_id'),
  lastId: text(row, 'last_id'),
  count: number(row, 'count'),
  lines: unpackLines(bytes(row, 'lines')),
});
