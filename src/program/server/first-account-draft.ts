import type { FirstAccount } from '../../customers/operators/installation-store.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { CreateOutcome } from '../../money/accounts/account-store.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { DraftStore } from '../assembly/first-start-of.ts';

/** Collects an account and its key, which are then written in one transaction. */
export class FirstAccountDraft implements DraftStore {
  #account: { account: Account; accountAudit: AuditEntry } | undefined;
  #key: { key: ApiKey; keyAudit: AuditEntry } | undefined;

  async createAccount(account: Account, accountAudit: AuditEntry): Promise<void> {
    this.#account = { account, accountAudit };
  }

  async findAccount(id: string): Promise<Account | undefined> {
    return this.#account?.account.id === id ? this.#account.account : undefined;
  }

  async createKey(key: ApiKey, keyAudit: AuditEntry): Promise<CreateOutcome> {
    this.#key = { key, keyAudit };
    return 'created';
  }

  take(): FirstAccount {
    if (!this.#account || !this.#key) throw new Error('the first account has no key yet');
    return { ...this.#account, ...this.#key };
  }
}
