import type { Account } from './account.ts';
import type { ApiKey } from './api-key.ts';
import type { AuditEntry, AuditFilter, AuditRecord } from './audit.ts';
import type { RepeatedEvent } from './repeated-event.ts';

/** A page of a list, newest last. `after` is the last id of the previous page. */
export type PageRequest = { limit: number; after?: string | undefined };
export type Page<T> = { items: T[]; hasMore: boolean };

/**
 * `search`: a part of the name or of the email, or the beginning of the id. Case counts only beyond ASCII.
 */
export type AccountPage = PageRequest & { search?: string | undefined };

/** `conflict`: another writer changed the record since it was read. */
export type SaveOutcome = 'saved' | 'conflict';

/** The most keys of an account that work at the time `now`. Revoked and expired keys do not count. */
export type KeyBound = { limit: number; now: number };
/** `full`: the account has the most keys or rows that it may have. */
export type CreateOutcome = 'created' | 'full';

/** The storage port for accounts and keys. Each change and its audit entry are written in one transaction. */
export interface AccountStore {
  createAccount(account: Account, audit: AuditEntry): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  listAccounts(page: AccountPage): Promise<Page<Account>>;
  /** Writes `account` if the stored version equals `account.version`, and increments the version. */
  saveAccount(account: Account, audit: AuditEntry): Promise<SaveOutcome>;

  /** With a bound, the keys are counted in the transaction that adds the key. `full`: nothing was written. */
  createKey(key: ApiKey, audit: AuditEntry, bound?: KeyBound): Promise<CreateOutcome>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /** Finds a key by the hash of its secret, or of a secret that it had before. */
  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  /** Returns all keys, including revoked ones, newest last. */
  listKeys(accountId: string): Promise<ApiKey[]>;
  /** Keeps the replaced hash if the key has another one. */
  saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome>;

  findAudit(id: string): Promise<AuditRecord | undefined>;
  /** Returns records newest first. */
  listAudit(page: PageRequest & AuditFilter): Promise<Page<AuditRecord>>;
  /** Records a change that touches nothing else in the store, for example a reload or a drain. */
  recordAudit(audit: AuditEntry): Promise<void>;
  /** Raises the count of an entry for the same event within `JOINED_MS`, or records the event. */
  recordRepeated(event: RepeatedEvent): Promise<void>;
}

/** The part of the store that start, stop and the readiness probe use. */
export interface StoreHealth {
  /**
   * Returns undefined if the store can be read and written, else one sentence that an operator can act on.
   */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}
