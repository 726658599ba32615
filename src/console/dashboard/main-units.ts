/** https://docs.stripe.com/currencies#zero-decimal lists these. Amounts in UGX still have two decimals. */
const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));

/** https://docs.stripe.com/currencies#three-decimal */
const WITH_THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/**
 * Returns an amount of Stripe in the main unit of its currency.
 *
 * @example
 * mainUnits(500, 'usd'); // → 5
 * mainUnits(500, 'jpy'); // → 500
 */
export function mainUnits(amount: number, currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return amount;
  return amount / (WITH_THREE_DECIMALS.has(currency) ? 1_000 : 100);
}
