import type { JsonObject } from '../../../base/json/json-body.ts';
import { countOf } from '../../framing/count-of.ts';
import { partsOf } from './answer-chunk.ts';

/** Follows the candidates of a stream until all that have begun have ended. */
export class CandidateProgress {
  readonly #begun = new Set<number>();
  readonly #ended = new Set<number>();
  #hasContent = false;

  add(candidate: JsonObject): void {
    const index = countOf(candidate.index) ?? 0;
    const isEnd = candidate.finishReason != null;
    this.#begun.add(index);
    if (isEnd) this.#ended.add(index);
    this.#hasContent ||= isEnd || partsOf(candidate).some(saysSomething);
  }

  /** True once a part has content. A first chunk is often empty, and its upstream may still fail. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  get hasEnded(): boolean {
    return this.#ended.size > 0 && this.#ended.size === this.#begun.size;
  }
}

const saysSomething = (part: JsonObject): boolean =>
  Object.entries(part).some(([key, value]) => key !== 'thought' && value !== null && value !== '');
