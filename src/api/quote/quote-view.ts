import { errorEnvelope, errorStatus } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { QuotedCredit } from './quote-credit.ts';
import type { QuoteView } from './quote-description.ts';

export type Quote = {
  endpoint: string;
  model: string;
  mode: PaymentMode;
  inputTokens: number;
  credit: QuotedCredit;
  plan: Refusal | undefined;
  limits: Refusal | undefined;
};

/** Shows the quote in the form that clients get. */
export function quoteView({ credit, plan, limits, ...quote }: Quote): QuoteView {
  const refusals = [plan, credit.keyCap, credit.credits, limits];
  return {
    object: 'quote',
    endpoint: quote.endpoint,
    model: quote.model,
    payment_mode: quote.mode,
    estimated_input_tokens: quote.inputTokens,
    max_output_tokens: credit.outputTokens,
    credits: { lowest: creditsOf(credit.lowest), highest: creditsOf(credit.highest) },
    price_rows: [...credit.priceRows],
    admitted: refusals.every((refusal) => refusal === undefined),
    checks: {
      plan: checkView(plan),
      key_cap: checkView(credit.keyCap),
      credits: checkView(credit.credits),
      limits: checkView(limits),
    },
  };
}

/** Shows the result of one check, with the error of a refusal. */
function checkView(refusal: Refusal | undefined): QuoteView['checks']['plan'] {
  if (refusal === undefined) return { admitted: true };
  const { retryAfterMs } = refusal.details;
  return {
    admitted: false,
    status: errorStatus('openai', refusal),
    ...(retryAfterMs !== undefined && { retry_after: Math.ceil(retryAfterMs / 1_000) }),
    ...errorEnvelope('openai', refusal),
  };
}
