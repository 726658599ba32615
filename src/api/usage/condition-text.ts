import type { PriceCondition } from '../../settings/catalog/price-condition.ts';

/** Says when a price row applies. A row without a condition applies always. */
export function conditionText({ row }: PriceCondition): string {
  const { above_input_tokens, hours, from, until, tier, region } = row;
  const texts = [
    above_input_tokens !== undefined && `above ${above_input_tokens.toLocaleString('en-US')} input tokens`,
    ...(hours ?? []).map((window) => `${window.days.join(' ')} ${window.from} to ${window.to} UTC`),
    from !== undefined && `from ${from}`,
    until !== undefined && `until ${until}`,
    tier !== undefined && `tier ${tier}`,
    region !== undefined && `region ${region}`,
  ];
  return texts.filter((text) => text !== false).join(', ') || 'always';
}
