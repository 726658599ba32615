import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Dialect, InferenceRequest } from '../protocols/dialect.ts';
import { objectOf } from '../protocols/read-json.ts';
import { affinityKey } from '../routing/affinity-key.ts';
import type { CacheScope, CacheShares } from '../settlement/cache-shares.ts';
import { UsageEstimate } from '../settlement/usage-estimate.ts';
import { estimateBody } from '../tokens/estimate-body.ts';
import { estimateText } from '../tokens/estimate-text.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { counting } from './qualify-request.ts';

export type Estimating = {
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  keyId: string;
  counter: TokenCounter;
  shares: CacheShares;
};

/** Counts what the answer to a request comes to, where its upstream does not. */
export function estimateOf({ dialect, request, entry, keyId, counter, shares }: Estimating): UsageEstimate {
  const { family, counted, model } = entry;
  return new UsageEstimate({
    input: () => estimateBody(request.body, family).likely,
    text: (text) => Math.ceil(estimateText(text, family.vocabulary) * family.textFactor),
    async countInput() {
      const prompt = await counting({ dialect, request, counter })(counted);
      return prompt && prompt.sure + prompt.unsure;
    },
    countText: (text) => counter.countText(text, counted),
    cachedInput: (tokens) => shares.likely(scopeOf(keyId, entry, request), tokens),
    hidesReasoning: () => model.capabilities.reasoning && !isToldNotToThink(request.body.value),
  });
}

export const scopeOf = (keyId: string, { model }: CatalogEntry, { body }: InferenceRequest): CacheScope => ({
  keyId,
  model: model.id,
  conversation: affinityKey(body),
});

/** Words of all dialects for an answer without thinking. */
const LITTLE = new Set<unknown>(['none', 'minimal']);

const isToldNotToThink = (body: Readonly<Record<string, unknown>>): boolean =>
  LITTLE.has(body['reasoning_effort']) ||
  LITTLE.has(objectOf(body['reasoning']).effort) ||
  objectOf(body['thinking']).type === 'disabled';
