import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import { PromptBound, type PromptReader } from '../../translation/tokens/prompt-bound.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';

/** `counter` is read only if a count is needed. */
export type MeasuredRequest = {
  readonly request: InferenceRequest;
  readonly entry: CatalogEntry;
  readonly counter: TokenCounter;
};

/** Measures the length of one request's prompt. Each figure is computed once, on first use. */
export class MeasuredPrompt {
  readonly #measured: MeasuredRequest;
  readonly #request: InferenceRequest;
  readonly #entry: CatalogEntry;
  #likely: number | undefined;
  #most: number | undefined;
  #bound: PromptBound | undefined;

  constructor(measured: MeasuredRequest) {
    this.#measured = measured;
    this.#request = measured.request;
    this.#entry = measured.entry;
  }

  /** Estimates the prompt's tokens. The estimate is at most the bound, once the bound is known. */
  estimate(): number {
    this.#likely ??= this.#estimated();
    return this.#most === undefined ? this.#likely : Math.min(this.#likely, this.#most);
  }

  #estimated(): number {
    const { body, metered } = this.#request;
    const { family } = this.#entry;
    return metered
      ? Math.ceil(estimateText(metered.text, family.vocabulary) * family.textFactor)
      : estimateBody(body, family).likely;
  }

  /** Returns the most tokens that the prompt can have, whichever of these models serves it. */
  bound(servers: readonly CatalogEntry[]): MaybeLater<number> {
    if (this.#request.metered) return this.#request.metered.most.input;
    return andThen(this.#largest(servers, { at: 0, least: 0 }), (most) => {
      this.#most = most;
      return most;
    });
  }

  #largest(
    servers: readonly CatalogEntry[],
    { at, least }: { at: number; least: number },
  ): MaybeLater<number> {
    const server = servers[at];
    if (!server) return least;
    this.#bound ??= new PromptBound(this.#request, this.#measured.counter);
    return andThen(this.#bound.for(readerOf(server)), (tokens) =>
      this.#largest(servers, { at: at + 1, least: Math.max(least, tokens) }),
    );
  }
}

/** A model's targets may count with several vocabularies. */
function readerOf({ model, family, targets }: CatalogEntry): PromptReader {
  const families =
    targets.length < 2
      ? [family]
      : targets.map(({ upstreamModel, provider }) =>
          findTokenFamily({ upstreamModel, isSimulated: provider.mode === 'simulated' }),
        );
  return {
    families: [...new Set(families)],
    contextWindow: model.contextWindow,
    isChat: model.kind === 'chat',
  };
}
