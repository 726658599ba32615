import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { AdminToken } from './admin-token.ts';

/** The storage port for admin tokens. Each change and its audit entry are written in one transaction. */
export interface TokenStore {
  /**
   * `conflict`: a token with this name exists and is not revoked. Upper and lower case of ASCII letters are
   * the same.
   */
  createToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome>;
  findToken(id: string): Promise<AdminToken | undefined>;
  /** Finds a token by the hash of its secret, or of the secret before its latest rotation. */
  findTokenByHash(hash: string): Promise<AdminToken | undefined>;
  /** Returns all tokens, including revoked ones, newest last. */
  listTokens(): Promise<AdminToken[]>;
  /** Writes `token` if the stored version equals `token.version`, and increments the version. */
  saveToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome>;
}
