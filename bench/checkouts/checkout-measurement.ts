import type { Measurement } from '../benchmark-report.ts';

export type CheckoutName = 'this' | 'other';

/** One measurement of the gateway of a checkout. */
export type CheckoutMeasurement = Measurement & { checkout: CheckoutName };
