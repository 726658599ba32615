import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { UsageBounds } from '../../translation/canonical/bound-usage.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { answerBounds } from './answer-bounds.ts';
import { leastOutputOf } from './least-output-of.ts';
import { maxMeteredTokens } from './max-metered-tokens.ts';
import { mostUsage } from './most-usage.ts';
import { requestedCeiling } from './requested-ceiling.ts';

/** A request with the model that answered it. */
export type ServedRequest = {
  dialect: Pick<Dialect, 'wire' | 'ceilings' | 'unaskedOutput'>;
  request: Pick<
    InferenceRequest,
    'body' | 'prompts' | 'answers' | 'written' | 'texts' | 'outputSpace' | 'metered'
  >;
  /** The requested model. */
  entry: CatalogEntry;
  /** The model that answered. */
  served: CatalogEntry;
  /** The most tokens of one image. */
  imageTokens: number;
  /** The provider that answered. Undefined if it is no longer known. */
  provider: Provider | undefined;
};

/** The turns of a request with hosted tools, and the models that it names other than its own. */
type FurtherWork = {
  turns?: number;
  consulted?: readonly CatalogEntry[];
  /** The highest output ceiling of a fallback. */
  fallbackCeiling?: number;
};

/**
 * Returns the most usage that one request can have: one window for each counted prompt and one ceiling for
 * each answer. The vendor may have read each prompt in several `turns`.
 */
export function usageBounds(
  servedRequest: ServedRequest,
  { turns = 1, consulted = [], fallbackCeiling = 0 }: FurtherWork = {},
): UsageBounds {
  const { request, served, provider, imageTokens } = servedRequest;
  const { model } = served;
  if (request.metered) return meteredBounds(request.metered, imageTokens);
  const answers = request.written ?? request.answers ?? request.prompts ?? request.texts ?? 1;
  const bounds = answerBounds(served, [provider]);
  const { window, own } = bounds;
  const input = window * answers * turns;
  if (model.kind === 'embedding') return { input, output: 0, visible: 0 };
  const ceiling = Math.max(sentCeiling(servedRequest, own), fallbackCeiling);
  const { visible, output } = mostUsage({ bounds, prompt: window, ceiling, calls: [] });
  return {
    input,
    visible: visible * answers,
    output: output * answers,
    together: model.maxOutput === null ? input : undefined,
    separateOutput: Math.max(
      own,
      ...consulted.map(({ model: other }) => other.maxOutput ?? other.contextWindow),
    ),
  };
}

function meteredBounds(metered: MeteredAsk, imageTokens: number): UsageBounds {
  const { input, output } = maxMeteredTokens(metered, imageTokens);
  return { input, output, visible: output };
}

/** Returns the output ceiling that was sent to the upstream, or the model's own bound if none was sent. */
function sentCeiling({ dialect, request, entry, served }: ServedRequest, own: number): number {
  const { ceilings = [], unaskedOutput, wire } = dialect;
  // The dialect's own default is sent on its own wire only.
  const unasked = served.targets.every(({ wires }) => wires.includes(wire)) ? unaskedOutput : undefined;
  const requestedOutput = requestedCeiling(request.body.value, ceilings) ?? unasked;
  if (requestedOutput === undefined) return own;
  const space = served === entry ? request.outputSpace : undefined;
  return Math.max(Math.min(requestedOutput, space ?? own), leastOutputOf(served));
}
