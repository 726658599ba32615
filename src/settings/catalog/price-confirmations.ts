import { instantOf } from '../../base/lib/instant-of.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { PriceConditionRow } from '../config/price-schema.ts';

/**
 * A price row that needs to be compared with its source from time to time. `at`: the date of the last time.
 * `validUntil`: Unix milliseconds from which the row counts as unconfirmed.
 */
export type PriceConfirmation = { row: string; at: string | null; validUntil: number };

const BASE_ROW = 'base';
const VALID_MS = 90 * DAY_MS;

type ConfirmedPrices = {
  conditions?: readonly PriceConditionRow[] | undefined;
  confirmed_at?: string | undefined;
};

/**
 * Lists the rows that need confirmation. A row of the operator's own without a date counts as confirmed for
 * good.
 */
export const confirmationsOf = (
  prices: ConfirmedPrices,
  { isDefault }: { isDefault: boolean },
): readonly PriceConfirmation[] =>
  [{ ...prices, name: BASE_ROW }, ...(prices.conditions ?? [])]
    .filter(({ confirmed_at: at }) => isDefault || at !== undefined)
    .map(({ name: row, confirmed_at: at }) => ({
      row,
      at: at ?? null,
      validUntil: at === undefined ? Number.NEGATIVE_INFINITY : instantOf(at) + VALID_MS,
    }));

/** Returns the rows that are not confirmed at a time. */
export const unconfirmedRows = (
  confirmations: readonly PriceConfirmation[],
  now: number,
): PriceConfirmation[] => confirmations.filter(({ validUntil }) => validUntil <= now);
