import { hash } from 'node:crypto';

/** The parts of a payment that change the ledger. */
type PaymentStep = 'payment' | 'refund' | 'dispute' | 'returned' | 'reversal';

/**
 * Returns the id of the entry for a step of a payment. The ledger writes one entry per id, so a message that
 * is processed again, even by another node, changes nothing.
 */
export const paymentEntryId = (step: PaymentStep, objectId: string): string =>
  `ent_${hash('sha256', `stripe ${step} ${objectId}`, 'hex').slice(0, 40)}`;
