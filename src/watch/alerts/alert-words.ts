import { usdOf } from '../../money/ledger/microcredits.ts';

/** Formats an amount for a message, with at most six decimals. */
export const dollars = (microcredits: number): string => `${Number(usdOf(microcredits).toFixed(6))} USD`;

/** Returns an id, with the name beside it if there is one. */
export const labelOf = (id: string, name: string | null): string => (name === null ? id : `${id} (${name})`);
