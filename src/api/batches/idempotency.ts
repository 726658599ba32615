/** A key as one account's creations in one collection know it. */
export type IdempotencyKey = { accountId: string; collection: string; key: string };

/** Who creates under a key now. `token` is drawn anew for each creation, so that nobody finishes another's. */
export type KeyOwner = IdempotencyKey & { token: string };

/** What the first creation answered. */
export type KeptAnswer = { body: string };

export type TakeKey = KeyOwner & {
  bodyHash: string;
  now: number;
  /** Until when a creator that is not heard of is believed to be at it. */
  leaseUntil: number;
  /** When the key is forgotten. */
  expiresAt: number;
};

export type TakenKey =
  | { kind: 'taken' }
  | { kind: 'running' }
  | { kind: 'conflict' }
  | { kind: 'done'; answer: KeptAnswer };

/** Where idempotency keys are remembered. */
export interface IdempotencyStore {
  /** Takes the key before any work is done, unless it was used. */
  takeKey(key: TakeKey): Promise<TakenKey>;
  /** Forgets a key whose creation failed. */
  releaseKey(owner: KeyOwner): Promise<void>;
}
