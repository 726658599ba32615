import { objectOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { SeparateTokens } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/** Returns the tokens of images in `tool_usage`, which the vendor counts apart from the answer's. */
export function imageTokens({ image_gen }: Fields): SeparateTokens[] {
  const { input_tokens, output_tokens, total_tokens } = objectOf(image_gen);
  const input = countOf(input_tokens) ?? 0;
  const output = countOf(output_tokens) ?? Math.max(0, (countOf(total_tokens) ?? 0) - input);
  return input + output > 0 ? [{ kind: 'image', isIncluded: false, input, cachedInput: 0, output }] : [];
}
