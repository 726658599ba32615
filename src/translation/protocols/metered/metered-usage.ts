import { isObject } from '../../../base/lib/is-object.ts';
import type { MeteredUsage } from '../../canonical/metered.ts';
import type { TokenPrice } from '../../canonical/price-name.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { detailOf } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/**
 * Returns the usage of an answer of a metered endpoint: its quantities, and the tokens that the upstream
 * reports. Tokens that it does not report are not billed.
 */
export function meteredUsage(metered: MeteredUsage, reported?: unknown): Usage {
  const usage = isObject(reported) ? reported : {};
  const details = usage.input_tokens_details ?? usage.input_token_details;
  const part = (name: string): number | undefined => (isObject(details) ? countOf(details[name]) : undefined);
  const counts: Partial<Record<TokenPrice, number>> = {};
  const [images, sound] = [part('image_tokens'), part('audio_tokens')];
  if (images !== undefined) counts.image_input = images;
  if (sound !== undefined) counts.audio_input = sound;
  const input = countOf(usage.input_tokens) ?? countOf(usage.prompt_tokens) ?? onlyTotal(usage) ?? 0;
  const output = countOf(usage.output_tokens) ?? countOf(usage.completion_tokens) ?? 0;
  return { ...usageOfTotals({ input, output }), detail: detailOf({ counts, metered })! };
}

/** Returns the sum of tokens, which is all that some hosts report. */
const onlyTotal = ({ total_tokens }: Record<string, unknown>): number | undefined => countOf(total_tokens);
