import type { PaymentMode } from '../../money/auth/payment-mode.ts';

/** The facts that select one of a model's rates. */
export type RateQuestion = { mode: PaymentMode; isNative?: boolean | undefined };

/** Reports whether the rates of providers' own batches apply, if the model has them. */
export const isBatchRate = ({ mode, isNative }: RateQuestion): boolean =>
  isNative === true && mode !== 'payg';
