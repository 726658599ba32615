import { objectOf } from '../../../base/json/read-json.ts';
import { detailOf } from '../../canonical/combine-details.ts';
import type { MeteredUsage } from '../../canonical/metered.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { countOf } from '../../framing/count-of.ts';

/**
 * Returns the usage of an answer of a metered endpoint: its quantities, and the tokens that the upstream
 * reports. Tokens that it does not report are not billed.
 */
export function meteredUsage(metered: MeteredUsage, reported?: unknown): Usage {
  const usage = objectOf(reported);
  const { image_tokens, audio_tokens } = objectOf(usage.input_tokens_details ?? usage.input_token_details);
  const counts = { image_input: countOf(image_tokens) ?? 0, audio_input: countOf(audio_tokens) ?? 0 };
  // Some hosts report only the sum of all tokens.
  const inputs = [usage.input_tokens, usage.prompt_tokens, usage.total_tokens];
  const outputs = [usage.output_tokens, usage.completion_tokens];
  const detail = detailOf({ counts, metered });
  return { ...usageOfTotals({ input: firstCount(inputs), output: firstCount(outputs) }), detail };
}

const firstCount = (values: readonly unknown[]): number =>
  values.map(countOf).find((count) => count !== undefined) ?? 0;
