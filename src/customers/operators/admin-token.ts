import type { ReplacedSecret } from '../../money/accounts/api-key.ts';

/** The roles of operators, the one with the most rights first. */
export const adminRoles = ['owner', 'operator', 'read_only'] as const;

/**
 * `owner`: everything; `operator`: everything except admin tokens; `read_only`: only reads, and no recorded
 * content.
 */
export type AdminRole = (typeof adminRoles)[number];

/** A named admin token as stored. The token itself is shown once; the store keeps only its hash. */
export type AdminToken = {
  id: string;
  /** The actor in the audit log. Tokens that are not revoked have different names. */
  name: string;
  role: AdminRole;
  /** SHA-256 of the whole token, in hexadecimal. */
  hash: string;
  /** The first characters of the token. */
  hint: string;
  /** The secret before the latest rotation. */
  previous: ReplacedSecret | null;
  createdAt: number;
  /** From this time on the token is refused. `null` means that it does not expire. */
  expiresAt: number | null;
  revokedAt: number | null;
  version: number;
};

/** The holder of an admin token. */
export type Operator = { name: string; role: AdminRole };
