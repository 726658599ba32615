import type { Receipt } from '../../money/ledger/entry.ts';

/** Returns the receipt with which another process bills a hold, from the receipt of its latest checkpoint. */
export const recoveredReceipt = (receipt: Receipt): Receipt => ({
  ...receipt,
  outcome: 'recovered',
  isEstimated: true,
});
