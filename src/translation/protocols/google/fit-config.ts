import { Refusal } from '../../../base/errors/refusal.ts';
import { numberOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import type { Loss, LossCode } from '../../canonical/loss.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { CEILING } from './addressed-body.ts';
import { configOf } from './decode-generation.ts';
import { encodeRequest } from './encode-request.ts';
import { isThirdGeneration } from './generation.ts';
import type { ConfigPatch } from './vendor-body.ts';

type Fitted = { patch: ConfigPatch; losses: Loss[] };

const THINKING = 'thinkingConfig';
/** The losses that describe a change of thinking. The body itself loses nothing else. */
const OF_THINKING: ReadonlySet<LossCode> = new Set<LossCode>(['effort-lowered', 'thinking-budget']);

/**
 * Computes the changes to the configuration of a request that the gateway accepts and the vendor would
 * refuse: a ceiling above the model's own, and thinking that the model does not have.
 */
export function fitConfig({ body, canonical }: InferenceRequest, target: EncodeTarget): Fitted {
  const ceiling = numberOf(body.value[CEILING]);
  const { maxOutput } = target;
  const isTooHigh = ceiling !== undefined && maxOutput !== undefined && ceiling > maxOutput;
  const patch = isTooHigh ? { [CEILING]: String(maxOutput) } : {};
  if (takesThinking(configOf(body.value)[THINKING], target)) return { patch, losses: [] };
  const encoded = encodeRequest(canonical!, target); // this dialect decodes every request
  // The vendor's own error then describes the problem.
  if (encoded instanceof Refusal) return { patch, losses: [] };
  const thinking = configOf(parseObject(encoded.body))[THINKING];
  return {
    patch: { ...patch, [THINKING]: thinking === undefined ? null : JSON.stringify(thinking) },
    losses: encoded.losses.filter(({ code }) => OF_THINKING.has(code)),
  };
}

/**
 * Reports whether the model takes the thinking as the client sent it. Agents send a level with every request,
 * and the models of two generations think in different ways.
 */
function takesThinking(config: unknown, target: EncodeTarget): boolean {
  const { thinkingLevel } = objectOf(config);
  const { reasoning, reasoningEfforts, upstreamModel } = target;
  if (config == null || !reasoning) return config == null;
  const level = textOf(thinkingLevel)?.toLowerCase() ?? '';
  if (level === '' || level === 'thinking_level_unspecified') return true;
  if (reasoningEfforts.length > 0) return reasoningEfforts.includes(level);
  return isThirdGeneration(upstreamModel);
}
