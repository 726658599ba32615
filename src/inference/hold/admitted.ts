import type { Hold } from '../../money/ledger/hold.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import type { AdmittedPrices } from '../../money/ledger/usage-prices.ts';

/** The admission of a batch item, fixed before the item is sent to a provider: its hold, model and prices. */
export type Admitted = {
  hold: Hold;
  model: string;
  rates: Rates;
  /** Undefined if an earlier version admitted the item. */
  prices: AdmittedPrices | undefined;
};

/** Extracts the part of a posting that an item keeps while it is at a provider. */
export const admittedBy = ({ hold, receipt: { model, rates }, prices }: Posting): Admitted => ({
  hold,
  model,
  rates,
  prices,
});
