import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { Need } from '../../translation/canonical/need.ts';
import type { CountedModel } from '../../translation/tokens/find-token-family.ts';
import type { TokenFamily } from '../../translation/tokens/token-families.ts';
import type { Target } from '../hosts/target.ts';
import type { Model } from './model.ts';

/** A model with the properties that the rest of the configuration determines. */
export type CatalogEntry = {
  model: Model;
  aliases: readonly string[];
  /** The dialects in which the model is served without translation. */
  nativeWires: readonly string[];
  /** Sorted by weight, then by order. The list is empty if no provider is set up for the model. */
  targets: readonly Target[];
  /** Needs that the model does not meet, or not for every request. */
  lacks: readonly Need[];
  /** The upstream model of the first target, which determines token counts. */
  counted: CountedModel;
  family: TokenFamily;
};

/**
 * Reports whether the built-in simulator answers for the model. Its answers are free, and never substitute
 * those of a provider.
 */
export const isSimulated = ({ counted }: CatalogEntry): boolean => counted.isSimulated;

/** Reports whether a provider is set up for the model. */
export const isAvailable = ({ targets }: CatalogEntry): boolean => targets.length > 0;

export type ResolvedModel = {
  entry: CatalogEntry;
  /** `preview`: the name is that of a future model that this one serves. */
  via: 'spelling' | 'handle' | 'preview';
};

/** Returns an entry for a name that no model has. Returns undefined if the name is unknown. */
export type PassModel = (name: string, kind: ModelKind) => CatalogEntry | undefined;

/** The label of metrics for models outside the catalog. Clients could otherwise choose the label's value. */
const UNKNOWN_MODEL = 'unknown';

const MAX_SUGGESTED = 10;

/** The models and names that a catalog is made of. */
export type CatalogParts = {
  entries: readonly CatalogEntry[];
  /** Models that operators have hidden. */
  hidden?: readonly CatalogEntry[];
  /** The models by their ids and aliases. */
  spellings: ReadonlyMap<string, CatalogEntry>;
  /** The models by third-party handles, and by the names of future models. */
  bridges: ReadonlyMap<string, ResolvedModel>;
  /** Makes entries for models without a row that a request asks for. Without it, they are refused. */
  pass?: PassModel | undefined;
  /** Makes entries for models without a row that a request calls beside its own, such as in a tool. */
  unlistedModel?: ((name: string) => CatalogEntry) | undefined;
};

/** The models of the gateway. A name resolves with one map access. */
export class Catalog {
  readonly entries: readonly CatalogEntry[];
  /** Models that operators have hidden. No name resolves to them. */
  readonly hidden: readonly CatalogEntry[];
  readonly #spellings: ReadonlyMap<string, ResolvedModel>;
  readonly #bridges: ReadonlyMap<string, ResolvedModel>;
  readonly #pass: PassModel | undefined;
  readonly #unlistedModel: CatalogParts['unlistedModel'];
  /** The first time at which a price of a model counts as unconfirmed. */
  readonly unconfirmedFrom: number;

  constructor(parts: CatalogParts) {
    this.entries = parts.entries;
    this.hidden = parts.hidden ?? [];
    this.#spellings = asSpellings(parts.spellings);
    this.#bridges = parts.bridges;
    this.#pass = parts.pass;
    this.#unlistedModel = parts.unlistedModel;
    this.unconfirmedFrom = parts.entries
      .flatMap(({ model }) => model.confirmations)
      .reduce((first, { validUntil }) => Math.min(first, validUntil), Number.POSITIVE_INFINITY);
  }

  /** Finds a model by public id or alias. */
  find(name: string): CatalogEntry | undefined {
    return this.#spellings.get(name)?.entry;
  }

  /** Resolves a name like a generating endpoint, including third-party handles and previews. */
  resolve(name: string): ResolvedModel | undefined {
    return this.#spellings.get(name) ?? this.#bridges.get(name);
  }

  /**
   * Resolves a name like an endpoint for models of this kind. Other makers' and announced names are those of
   * chat models only, since another model's vectors would be useless.
   */
  lookUp(name: string, kind: ModelKind): ResolvedModel | undefined {
    const found = kind === 'chat' ? this.resolve(name) : this.#spellings.get(name);
    return found ?? asSpelling(this.#pass?.(name, kind));
  }

  /**
   * Returns an entry at the default prices for a model without a row that a request calls beside its own,
   * such as in a tool. Returns undefined if such models are refused.
   */
  unlistedModel(name: string): CatalogEntry | undefined {
    return this.#unlistedModel?.(name);
  }

  /** Returns the label of metrics for a model's name. */
  labelOf(name: string): string {
    return this.resolve(name)?.entry.model.id ?? UNKNOWN_MODEL;
  }

  /** Previews resolve on every generating endpoint, handles on chat endpoints only. */
  resolvePreview(name: string): ResolvedModel | undefined {
    const bridge = this.#bridges.get(name);
    return bridge?.via === 'preview' ? bridge : undefined;
  }

  /** Returns ids of models that can answer now, for messages that suggest a model. */
  usableIds(accepts: (entry: CatalogEntry) => boolean): string[] {
    const ids: string[] = [];
    for (const entry of this.entries) {
      if (isAvailable(entry) && accepts(entry)) ids.push(entry.model.id);
      if (ids.length === MAX_SUGGESTED) break;
    }
    return ids;
  }
}

const asSpellings = (entries: ReadonlyMap<string, CatalogEntry>): ReadonlyMap<string, ResolvedModel> =>
  new Map(Array.from(entries, ([name, entry]) => [name, { entry, via: 'spelling' }]));

const asSpelling = (entry: CatalogEntry | undefined): ResolvedModel | undefined =>
  entry && { entry, via: 'spelling' };
