import type { Json } from '../support/call.ts';
import type { WorstBill } from '../support/worst/worst-bill.ts';

/** Tokens in USD per million, searches in USD per thousand. `fast` is the factor of fast requests. */
export type VendorPrices = { input: number; output: number; search: number; fast: number };

export const usualPrices: VendorPrices = { input: 1, output: 4, search: 10, fast: 2.5 };
export const highPrices: VendorPrices = { input: 5, output: 25, search: 10, fast: 6 };

/** The model with the high prices. Requests name it as an advisor or a fallback too. */
export const EXPENSIVE_MODEL = 'expensive';
const CREDITS_PER_USD = 500;

type Tokens = { input: number; output: number };

/** Returns the prices of a model by its public name or its name at the vendor. */
const pricesOf = (model: string | undefined): VendorPrices =>
  model?.endsWith(EXPENSIVE_MODEL) ? highPrices : usualPrices;

function microUsdOf(model: string | undefined, tokens: Tokens, { isFast }: { isFast: boolean }): number {
  const { input, output, fast } = pricesOf(model);
  return (tokens.input * input + tokens.output * output) * (isFast ? fast : 1);
}

/**
 * Computes the vendor's bill in micro-credits. A fallback is fast if it says so, or if the request does and
 * the fallback says nothing. An advisor is never fast.
 */
export function vendorBill({ input, output, otherWork, searches }: WorstBill, body: Json): number {
  const isFast = body.speed === 'fast';
  const isFallbackFast = new Map<string, boolean>(
    (body.fallbacks ?? []).map(({ model, speed }: Json) => [model, (speed ?? body.speed) === 'fast']),
  );
  const answer = microUsdOf(body.model, { input, output }, { isFast });
  const fees = searches * pricesOf(body.model).search * 1_000;
  const others = otherWork.map(({ type, model, ...tokens }) => {
    const isModelFast = model === body.model ? isFast : (isFallbackFast.get(model) ?? false);
    return microUsdOf(model, tokens, { isFast: isModelFast && type !== 'advisor_message' });
  });
  return others.reduce((sum, microUsd) => sum + microUsd, answer + fees) * CREDITS_PER_USD;
}
