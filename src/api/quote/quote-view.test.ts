import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { type Quote, quoteView } from './quote-view.ts';

const quote: Quote = {
  endpoint: '/v1/messages',
  model: 'm',
  mode: 'subscription',
  inputTokens: 12,
  credit: {
    lowest: 1_500_000,
    highest: 4_000_000,
    priceRows: ['base'],
    outputTokens: 100,
    keyCap: undefined,
    credits: undefined,
  },
  plan: undefined,
  limits: undefined,
};

test('a quote without refusals is admitted with amounts in credits', () => {
  expect(quoteView(quote)).toMatchObject({
    admitted: true,
    credits: { lowest: 1.5, highest: 4 },
    checks: { plan: { admitted: true }, limits: { admitted: true } },
  });
});

test('one refusal is enough for a quote that is not admitted, with the error of the request and its wait', () => {
  const limits = new Refusal('rate_limit_exceeded', { retryAfterMs: 1_200 });
  const { admitted, checks } = quoteView({ ...quote, limits });
  expect(admitted).toBe(false);
  expect(checks.plan).toEqual({ admitted: true });
  expect(checks.limits).toMatchObject({ admitted: false, status: 429, retry_after: 2 });
});
