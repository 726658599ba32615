import type { Need } from '../../translation/canonical/need.ts';
import type { CountedModel, TokenFamily } from '../../translation/tokens/token-family.ts';
import type { Target } from '../hosts/target.ts';
import type { Model } from './model.ts';

/** A model with what follows from the rest of the configuration. */
export type CatalogEntry = {
  model: Model;
  aliases: readonly string[];
  /** The dialects that it is served in without translation. */
  nativeWires: readonly string[];
  /** By weight, then in order. Empty: no provider is set up for it. */
  targets: readonly Target[];
  /** What it has not got, or not for every request. */
  lacks: readonly Need[];
  /** Its tokens are counted as the first of its targets counts them. */
  counted: CountedModel;
  family: TokenFamily;
};

export type ResolvedModel = {
  entry: CatalogEntry;
  /** `preview`: an announced model, served by this one. */
  via: 'spelling' | 'handle' | 'preview';
};

/** The models as served: names resolved by one map access. */
export class Catalog {
  readonly entries: readonly CatalogEntry[];
  readonly #spellings: ReadonlyMap<string, CatalogEntry>;
  readonly #bridges: ReadonlyMap<string, ResolvedModel>;

  constructor(parts: {
    entries: readonly CatalogEntry[];
    spellings: ReadonlyMap<string, CatalogEntry>;
    bridges: ReadonlyMap<string, ResolvedModel>;
  }) {
    this.entries = parts.entries;
    this.#spellings = parts.spellings;
    this.#bridges = parts.bridges;
  }

  /** By public id or older spelling. */
  find(name: string): CatalogEntry | undefined {
    return this.#spellings.get(name);
  }

  /** As generating endpoints do: third-party handles and previews too. */
  resolve(name: string): ResolvedModel | undefined {
    const entry = this.#spellings.get(name);
    return entry ? { entry, via: 'spelling' } : this.#bridges.get(name);
  }

  /** Preview ids are known on every endpoint that generates, handles on the chat ones alone. */
  resolvePreview(name: string): ResolvedModel | undefined {
    const bridge = this.#bridges.get(name);
    return bridge?.via === 'preview' ? bridge : undefined;
  }

  /** Models that can answer now, for messages that suggest one. */
  usable(accepts: (entry: CatalogEntry) => boolean, most = 10): string[] {
    const ids: string[] = [];
    for (const entry of this.entries) {
      if (entry.targets.length > 0 && accepts(entry)) ids.push(entry.model.id);
      if (ids.length === most) break;
    }
    return ids;
  }
}
