import { objectOf } from '../../base/json/read-json.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { countablesOf } from '../../translation/tokens/countables-of.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { estimateCountables } from '../../translation/tokens/estimate-countables.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { conversationHint } from '../../upstream/routing/affinity-key.ts';
import { askedOutput } from '../admission/asked-output.ts';
import type { CacheScope, CacheShares } from '../settlement/cache-shares.ts';
import { type EstimateParts, UsageEstimate } from '../settlement/usage-estimate.ts';
import { counting } from './qualify-request.ts';

export type Estimating = {
  dialect: Dialect;
  request: InferenceRequest;
  /** The model that answers. */
  entry: CatalogEntry;
  /** The key and the model whose cache may have the prompt. */
  scope: Pick<CacheScope, 'keyId' | 'model'>;
  counter: TokenCounter;
  shares: CacheShares;
  belief?: EstimateParts['belief'];
};

/** Builds the estimate of an answer's usage, for upstreams that do not report it. */
export function estimateOf(estimating: Estimating): UsageEstimate {
  const { dialect, request, entry, scope, counter, shares, belief } = estimating;
  const { family, counted, model } = entry;
  const ceiling = askedOutput(request.body.value, dialect.ceilings ?? []) ?? Number.POSITIVE_INFINITY;
  const parts: EstimateParts = {
    input: () => estimateBody(request.body, family).likely,
    text: (text) => Math.ceil(estimateText(text, family.vocabulary) * family.textFactor),
    async countInput() {
      const prompt = await counting({ dialect, request, counter })(counted);
      return prompt && prompt.sure + prompt.unsure;
    },
    countText: (text) => counter.countText(text, counted),
    cachedInput: (tokens) => shares.likely(scopeOf(scope, request), tokens),
    hidesReasoning: () => model.capabilities.reasoning && !isToldNotToThink(request.body.value),
    mostText: ceiling * (request.answers ?? 1),
    belief,
    family,
    ...(request.metered && { metered: request.metered }),
  };
  const ofPart = (part: CanonicalRequest): EstimateParts => ({
    ...parts,
    input: () => estimateCountables(countablesOf(part, family), family),
    countInput: () => counter.countRequest(part, counted),
    mostText: ceiling,
  });
  return new UsageEstimate({ ...parts, ofPart });
}

export const scopeOf = (
  { keyId, model }: Estimating['scope'],
  { body }: Pick<InferenceRequest, 'body'>,
): CacheScope => ({ keyId, model, conversation: conversationHint(body.value), body: body.value });

/** The values, in all dialects, that ask for an answer without thinking. */
const LITTLE = new Set<unknown>(['none', 'minimal']);

const isToldNotToThink = (body: Readonly<Record<string, unknown>>): boolean =>
  LITTLE.has(body['reasoning_effort']) ||
  LITTLE.has(objectOf(body['reasoning']).effort) ||
  objectOf(body['thinking']).type === 'disabled';
