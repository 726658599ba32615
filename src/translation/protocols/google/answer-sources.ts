import type { Fields } from '../../../base/schema/json-type.ts';
import type { Citation } from '../../canonical/part.ts';
import { citationsOf } from './citations-of.ts';

/** Holds the sources of an answer until a text cites them. Each source is cited once. */
export class AnswerSources {
  /** The sources of the latest chunk that has any. They repeat those of earlier chunks. */
  #uncited: readonly Citation[] = [];
  /** The JSON of the sources that a text has cited. Later chunks can repeat them. */
  readonly #cited = new Set<string>();

  read(candidate: Fields): void {
    const citations = citationsOf(candidate);
    if (citations.length === 0) return;
    this.#uncited = citations.filter(({ raw }) => !this.#cited.has(JSON.stringify(raw)));
  }

  get hasUncited(): boolean {
    return this.#uncited.length > 0;
  }

  /** Returns the sources that a text must cite now. */
  takeUncited(): readonly Citation[] {
    const citations = this.#uncited;
    this.#uncited = [];
    for (const { raw } of citations) this.#cited.add(JSON.stringify(raw));
    return citations;
  }
}
