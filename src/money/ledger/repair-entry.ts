import { hash } from 'node:crypto';
import type { KeptEntry } from './entry-text.ts';

/**
 * A stored entry. `number` counts all accounts' entries;
 * `previous` is the number of the account's previous entry, or 0.
 */
export type ChainedEntry = KeptEntry & { number: number; previous: number };

const ID = /^ent_repair_(\d+)_([0-9a-f]{64})$/;

const digestOf = ({ number, id, previous, text, hash: recordedHash }: ChainedEntry): string =>
  hash('sha256', JSON.stringify([number, id, previous, text, recordedHash]), 'hex');

/**
 * Returns the id of the entry that accepts a damaged one. It includes a digest of the damaged row, so that
 * later changes to that row are faults again.
 */
export const repairEntryId = (damaged: ChainedEntry): string =>
  `ent_repair_${damaged.number}_${digestOf(damaged)}`;

/**
 * Returns the number of the damaged entry that this id accepts, or undefined if the id is of another kind.
 */
export const repairedNumber = (id: string): number | undefined => {
  const match = ID.exec(id);
  return match ? Number(match[1]) : undefined;
};
