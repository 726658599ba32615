import type { JsonObject } from '../../base/json/json-body.ts';
import { inputTotal, type Usage } from '../../translation/canonical/usage.ts';
import { PromptPrefix } from './prompt-prefix.ts';

/**
 * A prompt that a key sends to a model.
 * Two conversations that the client names differently are never compared.
 */
export type CacheScope = {
  keyId: string;
  model: string;
  conversation: string | undefined;
  body: JsonObject;
};

/** The number of conversations that are remembered. The oldest are forgotten first. */
const MAX_SHARES = 20_000;
/** The number of places at which a later prompt is compared with a remembered one. */
const MAX_PLACES = 64;

type HashedPrefix = { hash: number; length: number };
type Cached = { owner: string; share: number; promptTokens: number; places: readonly HashedPrefix[] };

/**
 * Remembers, by conversation, how much of the last prompt was read from a cache. An answer without a usage
 * report is estimated with that share, as far as its prompt begins like the remembered one.
 */
export class CacheShares {
  readonly #shares = new Map<string, Cached>();
  /** The number of conversations of each key and model. Prompts of others need not be hashed. */
  readonly #owners = new Map<string, number>();
  readonly #seed: number;

  /** `seed`: a random number, so that no client can choose prompts with equal hashes. */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /**
   * Reports whether no prompt was ever read from a cache.
   * `note` then has no effect for a usage without cached tokens.
   */
  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  note(scope: CacheScope, usage: Usage): void {
    const promptTokens = inputTotal(usage);
    if (promptTokens === 0) return;
    const share = (usage.input.cacheRead ?? 0) / promptTokens;
    const owner = ownerOf(scope);
    if (share > 0) this.#set(scope, { owner, share, promptTokens });
    else if (this.#owners.has(owner)) this.#forget(nameOf(scope, this.#seed));
  }

  /**
   * Estimates the cached tokens of a prompt.
   * The result is at most the part that was in the last prompt of the conversation.
   */
  likely(scope: CacheScope, promptTokens: number): number {
    if (!this.#owners.has(ownerOf(scope))) return 0;
    const cached = this.#shares.get(nameOf(scope, this.#seed));
    if (!cached) return 0;
    const common = promptTokens * this.#commonShare(scope, cached.places);
    return Math.floor(Math.min(cached.share * promptTokens, cached.promptTokens, common));
  }

  #set(scope: CacheScope, measured: Omit<Cached, 'places'>): void {
    let places: HashedPrefix[] = [];
    const prefix = new PromptPrefix(this.#seed, (hash, length) => void places.push({ hash, length }));
    const name = join(scope, prefix.read(scope.body));
    while (places.length > MAX_PLACES) places = everySecond(places);
    this.#forget(name);
    this.#shares.set(name, { ...measured, places });
    this.#owners.set(measured.owner, (this.#owners.get(measured.owner) ?? 0) + 1);
    if (this.#shares.size > MAX_SHARES) this.#forget(this.#shares.keys().next().value!);
  }

  #forget(name: string): void {
    const cached = this.#shares.get(name);
    if (!cached) return;
    this.#shares.delete(name);
    const remaining = this.#owners.get(cached.owner)! - 1;
    if (remaining > 0) this.#owners.set(cached.owner, remaining);
    else this.#owners.delete(cached.owner);
  }

  /** Returns the share of the prompt that is equal to the beginning of the remembered one. */
  #commonShare({ body }: CacheScope, places: readonly HashedPrefix[]): number {
    let next = 0;
    let common = 0;
    const prefix = new PromptPrefix(this.#seed, (hash, length) => {
      while (next < places.length && places[next]!.length < length) next++;
      const place = places[next];
      if (place?.length === length && place.hash === hash) common = length;
    });
    prefix.read(body);
    return prefix.length === 0 ? 0 : common / prefix.length;
  }
}

/** Keeps the last place, which is the whole prompt. */
const everySecond = (places: HashedPrefix[]): HashedPrefix[] =>
  places.filter((_, index) => (places.length - index) % 2 === 1);

const ownerOf = ({ keyId, model }: CacheScope): string => `${keyId} ${model}`;
const join = (scope: CacheScope, prefix: number): string =>
  `${ownerOf(scope)} ${prefix} ${scope.conversation ?? ''}`;
const nameOf = (scope: CacheScope, seed: number): string =>
  join(scope, new PromptPrefix(seed).read(scope.body));
