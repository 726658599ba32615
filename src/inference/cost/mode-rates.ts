import { type RatesInRows, rateRowsOf } from '../../money/ledger/rate-row.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import { pricingFor, type RateQuestion } from './rate-question.ts';

/** The rates of simulated answers. */
export const FREE: Rates = { input: 0, cachedInput: 0, output: 0 };

/** Returns the rates of a model in the payment mode. Simulated answers are free. */
export function modeRates(entry: CatalogEntry, rating: RateQuestion): RatesInRows {
  if (isSimulated(entry)) return FREE;
  return rateRowsOf(pricingFor(entry.model, rating), rating);
}
