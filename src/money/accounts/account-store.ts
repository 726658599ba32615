import type { Account } from './account.ts';
import type { ApiKey } from './api-key.ts';
import type { AuditEntry, AuditRecord } from './audit.ts';

/** Newest last; `after` is the last id of the page before. */
export type PageRequest = { limit: number; after?: string | undefined };
export type Page<T> = { items: T[]; hasMore: boolean };

/** `conflict`: somebody else changed it since it was read. */
export type SaveOutcome = 'saved' | 'conflict';

/**
 * What accounts and keys need of a store. Every change is written in one transaction with its audit entry.
 */
export interface AccountStore {
  createAccount(account: Account, audit: AuditEntry): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  listAccounts(page: PageRequest): Promise<Page<Account>>;
  /** Writes `account` where the stored version is `account.version`, and raises the version by one. */
  saveAccount(account: Account, audit: AuditEntry): Promise<SaveOutcome>;

  createKey(key: ApiKey, audit: AuditEntry): Promise<void>;
  findKey(id: string): Promise<ApiKey | undefined>;
  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  /** Newest last, revoked ones included. */
  listKeys(accountId: string): Promise<ApiKey[]>;
  saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome>;

  /** Newest first. */
  listAudit(page: PageRequest): Promise<Page<AuditRecord>>;
  /** For changes that touch nothing else in the store, like a reload or a drain. */
  recordAudit(audit: AuditEntry): Promise<void>;
}

/** The store itself: what start, stop and the readiness probe ask of it. */
export interface StoreHealth {
  /** Undefined when it can be read and written, else one sentence that an operator can act on. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}
