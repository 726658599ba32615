import type { JsonObject } from '../../base/json/json-body.ts';
import { inputTotal, type Usage } from '../../translation/canonical/usage.ts';
import { PromptPrefix } from './prompt-prefix.ts';

/**
 * A prompt that a key sends to a model. Two conversations that the client names differently are never
 * compared.
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
const MAX_CHECKPOINTS = 64;

type HashedPrefix = { hash: number; length: number };
type CacheUse = { owner: string; share: number; promptTokens: number };
type RememberedPrompt = CacheUse & { checkpoints: readonly HashedPrefix[] };

/**
 * Remembers, by conversation, how much of the last prompt was read from a cache. For an answer without a
 * usage report, that share is applied to the part of the prompt that equals the remembered one.
 */
export class CacheShares {
  readonly #shares = new Map<string, RememberedPrompt>();
  /** The number of conversations by key and model. Prompts of other keys and models need not be hashed. */
  readonly #owners = new Map<string, number>();
  readonly #seed: number;

  /** `seed`: a random number, so that no client can choose prompts with equal hashes. */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /**
   * Reports whether no prompt was ever read from a cache. `record` then has no effect for a usage without
   * cached tokens.
   */
  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  /**
   * Records what the upstream reports of the conversation's last prompt. A usage without cached tokens makes
   * it forget the conversation.
   */
  record(scope: CacheScope, usage: Usage): void {
    const promptTokens = inputTotal(usage);
    if (promptTokens === 0) return;
    const share = (usage.input.cacheRead ?? 0) / promptTokens;
    const owner = ownerOf(scope);
    if (share > 0) this.#set(scope, { owner, share, promptTokens });
    else if (this.#owners.has(owner)) this.#forget(nameOf(scope, this.#seed));
  }

  /**
   * Estimates the cached tokens of a prompt. The result is at most the part that was in the last prompt of
   * the conversation.
   */
  estimateCachedTokens(scope: CacheScope, promptTokens: number): number {
    if (!this.#owners.has(ownerOf(scope))) return 0;
    const remembered = this.#shares.get(nameOf(scope, this.#seed));
    if (!remembered) return 0;
    const common = promptTokens * this.#commonShare(scope, remembered.checkpoints);
    return Math.floor(Math.min(remembered.share * promptTokens, remembered.promptTokens, common));
  }

  #set(scope: CacheScope, use: CacheUse): void {
    let checkpoints: HashedPrefix[] = [];
    const prefix = new PromptPrefix(this.#seed, (hash, length) => void checkpoints.push({ hash, length }));
    const name = nameWith(scope, prefix.read(scope.body));
    while (checkpoints.length > MAX_CHECKPOINTS) checkpoints = everySecond(checkpoints);
    this.#forget(name);
    this.#shares.set(name, { ...use, checkpoints });
    this.#owners.set(use.owner, (this.#owners.get(use.owner) ?? 0) + 1);
    if (this.#shares.size > MAX_SHARES) this.#forget(this.#shares.keys().next().value!);
  }

  #forget(name: string): void {
    const remembered = this.#shares.get(name);
    if (!remembered) return;
    this.#shares.delete(name);
    const remaining = this.#owners.get(remembered.owner)! - 1;
    if (remaining > 0) this.#owners.set(remembered.owner, remaining);
    else this.#owners.delete(remembered.owner);
  }

  /** Returns the share of the prompt that equals the beginning of the remembered prompt. */
  #commonShare({ body }: CacheScope, checkpoints: readonly HashedPrefix[]): number {
    let next = 0;
    let common = 0;
    const prefix = new PromptPrefix(this.#seed, (hash, length) => {
      while (next < checkpoints.length && checkpoints[next]!.length < length) next++;
      const checkpoint = checkpoints[next];
      if (checkpoint?.length === length && checkpoint.hash === hash) common = length;
    });
    prefix.read(body);
    return prefix.length === 0 ? 0 : common / prefix.length;
  }
}

/** Keeps the last checkpoint, which is the whole prompt. */
const everySecond = (checkpoints: HashedPrefix[]): HashedPrefix[] =>
  checkpoints.filter((_, index) => (checkpoints.length - index) % 2 === 1);

const ownerOf = ({ keyId, model }: CacheScope): string => `${keyId} ${model}`;
const nameWith = (scope: CacheScope, prefix: number): string =>
  `${ownerOf(scope)} ${prefix} ${scope.conversation ?? ''}`;
const nameOf = (scope: CacheScope, seed: number): string =>
  nameWith(scope, new PromptPrefix(seed).read(scope.body));
