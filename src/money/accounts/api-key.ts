/** An API key as stored. The key itself is shown once; the store keeps only its hash. */
export type ApiKey = {
  id: string;
  accountId: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: string;
  /** The first characters of the key, shown so that people can tell keys apart. */
  hint: string;
  name: string | null;
  /** Requests use pay-as-you-go mode even without the header. */
  payg: boolean;
  monthlyCapUsd: number | null;
  /** Public ids of the allowed models; null: all models. */
  allowedModels: string[] | null;
  createdAt: number;
  revokedAt: number | null;
  version: number;
};
