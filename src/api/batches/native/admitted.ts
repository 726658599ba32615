import type { Hold } from '../../../money/ledger/hold.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';
import type { Rates } from '../../../money/ledger/rates.ts';

/** What was decided of an item before it went to a provider, and holds until its answer is posted: its hold, its model and its rates. */
export type Admitted = { hold: Hold; model: string; rates: Rates };

/** The little of a posting that an item keeps while a provider has it. */
export const admittedBy = ({ hold, receipt: { model, rates } }: Posting): Admitted => ({
  hold,
  model,
  rates,
});
