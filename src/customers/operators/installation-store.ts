import type { Account } from '../../money/accounts/account.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';

export type FirstAccount = { account: Account; accountAudit: AuditEntry; key: ApiKey; keyAudit: AuditEntry };

/** `made`: this process has made the value. `kept`: another process had made it. */
export type Claim = 'made' | 'kept';

/** The storage port for what is made once, by the first of all processes that share a store. */
export interface InstallationStore {
  /** Returns the SHA-256 of the first admin token, or undefined if no process has made one. */
  adminTokenHash(): Promise<string | undefined>;
  claimAdminToken(hash: string): Promise<Claim>;
  /** Reports whether the first account was made, or whether there are accounts from elsewhere. */
  hasFirstAccount(): Promise<boolean>;
  /** Creates the account and its key in one transaction, if `hasFirstAccount` is false. */
  claimFirstAccount(first: FirstAccount): Promise<Claim>;
}
