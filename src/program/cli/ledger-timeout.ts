import { HOUR_MS } from '../../base/lib/units.ts';

/** The timeout of calls that verify the ledger. Millions of entries take minutes. */
export const LEDGER_TIMEOUT_MS = HOUR_MS;
