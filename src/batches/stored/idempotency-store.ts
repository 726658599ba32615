/** An idempotency key, in the scope of one account and one collection. */
export type IdempotencyKey = { accountId: string; collection: string; key: string };

/**
 * The creation that owns a key. Each creation has a random token, so that it cannot finish another one's
 * work.
 */
export type KeyOwner = IdempotencyKey & { token: string };

/** The stored answer of the first creation. */
export type KeptAnswer = { body: string };

export type TakeKey = KeyOwner & {
  bodyHash: string;
  now: number;
  /** The time at which an unfinished creation is considered crashed. */
  crashedAt: number;
  /** The time at which the key is forgotten. */
  expiresAt: number;
};

export type TakenKey =
  | { kind: 'taken' }
  | { kind: 'running' }
  | { kind: 'conflict' }
  | { kind: 'done'; answer: KeptAnswer };

/** The port for stored idempotency keys. */
export interface IdempotencyStore {
  /** Takes the key before any work starts, or reports its earlier use. */
  takeKey(key: TakeKey): Promise<TakenKey>;
  /** Forgets a key whose creation failed. */
  releaseKey(owner: KeyOwner): Promise<void>;
}
