import { hash } from 'node:crypto';
import type { KeptEntry } from './entry-text.ts';

/** An entry as it stands in the store. `number`: among all accounts' entries; `previous`: that of its account's one before, or 0. */
export type ChainedEntry = KeptEntry & { number: number; previous: number };

const ID = /^ent_repair_(\d+)_([0-9a-f]{64})$/;

const digestOf = ({ number, id, previous, text, hash: kept }: ChainedEntry): string =>
  hash('sha256', JSON.stringify([number, id, previous, text, kept]), 'hex');

/**
 * The id of the entry by which an operator has accepted that another one is damaged. It names that one as it stands: whatever is changed
 * of it afterwards is damage again.
 */
export const repairEntryId = (damaged: ChainedEntry): string =>
  `ent_repair_${damaged.number}_${digestOf(damaged)}`;

/** The number of the damaged entry that an entry of this id is about; undefined: it is about none. */
export const repairedNumber = (id: string): number | undefined => {
  const found = ID.exec(id);
  return found ? Number(found[1]) : undefined;
};
