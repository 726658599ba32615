/** The limits of a key. They apply in addition to the plan's. `null` means no limit of the key. */
export type KeyLimits = {
  requestsPerMin: number | null;
  tokensPerMin: number | null;
  concurrent: number | null;
};

/** A secret that a rotation replaced. It is valid until `endsAt`. */
export type ReplacedSecret = { hash: string; endsAt: number };

/**
 * Which requests of a key get the answer of an earlier one: none, those with the same idempotency key, or
 * retries of SDKs too.
 */
export const retriesChoices = ['none', 'keyed', 'join'] as const;
export type Retries = (typeof retriesChoices)[number];

/** An API key as stored. The key itself is shown once; the store keeps only its hash. */
export type ApiKey = {
  id: string;
  accountId: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: string;
  /** The first characters of the key, shown so that people can distinguish keys. */
  hint: string;
  name: string | null;
  /** Requests use pay-as-you-go mode even without the header. */
  payg: boolean;
  monthlyCapUsd: number | null;
  /** Public ids of the allowed models. `null` means all models. */
  allowedModels: string[] | null;
  /** `null` means that the key has no limits of its own. */
  limits: KeyLimits | null;
  /** The secret before the latest rotation, if the rotation had an overlap. */
  previous: ReplacedSecret | null;
  /** The member that the key belongs to. `null` means no member. */
  personId: string | null;
  /** The tags of its requests. `null` means no tags. */
  tags: string[] | null;
  retries: Retries;
  /** Its streams can be read again from where they broke. */
  resumable: boolean;
  createdAt: number;
  /** From this time on the key is refused. `null` means that it does not expire. */
  expiresAt: number | null;
  revokedAt: number | null;
  version: number;
};
