import { objectOf } from '../../base/json/read-json.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { countablesOf } from '../../translation/tokens/countables-of.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { estimateCountables } from '../../translation/tokens/estimate-countables.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { conversationHint } from '../../upstream/routing/affinity-key.ts';
import { countPrompt } from '../cost/count-prompt.ts';
import { requestedCeiling } from '../cost/requested-ceiling.ts';
import type { CacheScope, CacheShares } from './cache-shares.ts';
import { type EstimateSource, UsageEstimate } from './usage-estimate.ts';

/** A request whose usage is estimated if the upstream does not report it. */
export type EstimatedRequest = {
  readonly dialect: Dialect;
  readonly request: InferenceRequest;
  /** The model that answers. */
  readonly entry: CatalogEntry;
  readonly cacheScope: CacheScope;
  readonly patientCounter: TokenCounter;
  readonly shares: CacheShares;
  readonly belief: Pick<Estimator, 'billed' | 'bounds'>;
};

/** Builds the estimate of an answer's usage, for upstreams that do not report it. */
export const estimateOf = (estimated: EstimatedRequest): UsageEstimate =>
  new UsageEstimate(new RequestEstimate(estimated));

/** Estimates the prompt and the texts of one request. */
class RequestEstimate implements EstimateSource {
  readonly belief: EstimateSource['belief'];
  readonly maxText: number;
  protected readonly estimated: EstimatedRequest;

  constructor(
    estimated: EstimatedRequest,
    maxText = ceilingOf(estimated) * (estimated.request.answers ?? 1),
  ) {
    this.belief = estimated.belief;
    this.maxText = maxText;
    this.estimated = estimated;
  }

  get family(): EstimateSource['family'] {
    return this.estimated.entry.family;
  }

  get metered(): EstimateSource['metered'] {
    return this.estimated.request.metered;
  }

  input(): number {
    return estimateBody(this.estimated.request.body, this.estimated.entry.family).likely;
  }

  text(text: string): number {
    const { vocabulary, textFactor } = this.estimated.entry.family;
    return Math.ceil(estimateText(text, vocabulary) * textFactor);
  }

  async countInput(): Promise<number> {
    const { patientCounter, entry } = this.estimated;
    const { sure, unsure } = await countPrompt(this.estimated, patientCounter, entry.counted);
    return sure + unsure;
  }

  countText(text: string): Promise<number> {
    const { patientCounter, entry } = this.estimated;
    return patientCounter.countText(text, entry.counted);
  }

  cachedInput(input: number): number {
    const { shares, cacheScope } = this.estimated;
    return shares.estimateCachedTokens(cacheScope, input);
  }

  hidesReasoning(): boolean {
    const { entry, request } = this.estimated;
    return entry.model.capabilities.reasoning && !isAskedNotToThink(request.body.value);
  }

  ofPart(part: CanonicalRequest): EstimateSource {
    return new PartEstimate(this.estimated, part);
  }
}

/** Estimates the prompt and the text of one of several parts that a request was split into. */
class PartEstimate extends RequestEstimate {
  readonly #part: CanonicalRequest;

  constructor(estimated: EstimatedRequest, part: CanonicalRequest) {
    super(estimated, ceilingOf(estimated));
    this.#part = part;
  }

  override input(): number {
    const { family } = this.estimated.entry;
    return estimateCountables(countablesOf(this.#part, family), family);
  }

  override countInput(): Promise<number> {
    const { patientCounter, entry } = this.estimated;
    return patientCounter.countRequest(this.#part, entry.counted);
  }
}

const ceilingOf = ({ request, dialect }: EstimatedRequest): number =>
  requestedCeiling(request.body.value, dialect.ceilings ?? []) ?? Number.POSITIVE_INFINITY;

/** Returns the scope of a request's prompt in the caches of upstreams. */
export const cacheScopeOf = (
  { keyId, model }: Pick<CacheScope, 'keyId' | 'model'>,
  { body }: InferenceRequest,
): CacheScope => ({ keyId, model, conversation: conversationHint(body.value), body: body.value });

/** The values, in all dialects, that ask for an answer without thinking. */
const LITTLE = new Set<unknown>(['none', 'minimal']);

const isAskedNotToThink = (body: Readonly<Record<string, unknown>>): boolean =>
  LITTLE.has(body['reasoning_effort']) ||
  LITTLE.has(objectOf(body['reasoning']).effort) ||
  objectOf(body['thinking']).type === 'disabled';
