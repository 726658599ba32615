/** An API key as stored: the key itself is shown once, and only its hash is kept. */
export type ApiKey = {
  id: string;
  accountId: string;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string;
  /** The first characters, so that people can tell their keys apart. */
  hint: string;
  name: string | null;
  /** Runs in pay-as-you-go mode without the header. */
  payg: boolean;
  monthlyCapUsd: number | null;
  /** Public ids; null: all. */
  allowedModels: string[] | null;
  createdAt: number;
  revokedAt: number | null;
  version: number;
};
