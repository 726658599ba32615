import type { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from './account.ts';
import type { AccountPage, Page, PageRequest } from './account-store.ts';
import type { ApiKey, KeyLimits, Retries } from './api-key.ts';
import type { AuditFilter, AuditRecord } from './audit.ts';
import type { AuditAction } from './audit-action.ts';
import type { RepeatedEvent } from './repeated-event.ts';

/** The fields of an account that a change can set. Fields that are absent stay as they are. */
export type AccountChange = Partial<
  Pick<
    Account,
    | 'name'
    | 'email'
    | 'plan'
    | 'status'
    | 'emailVerified'
    | 'cycleStartedAt'
    | 'priceUsdPerMonth'
    | 'planOverrides'
    | 'unpaidFrom'
    | 'hostedToolsStopped'
  >
> & {
  /** Applies a plan at once, also a cheaper one, since its payment decides. */
  paidPlan?: Account['plan'];
  /** The plan that follows at the renewal, even a more expensive one. `null` means that the plan stays. */
  nextPlan?: Account['plan'] | null;
};

/** The fields of a new key. Each absent field is null, false or `none`. */
export type NewKey = {
  name?: string | null;
  payg?: boolean;
  monthlyCapUsd?: number | null;
  allowedModels?: string[] | null;
  limits?: KeyLimits | null;
  personId?: string | null;
  tags?: string[] | null;
  retries?: Retries;
  resumable?: boolean;
  expiresAt?: number | null;
};

/** The fields of a key that a change can set. Fields that are absent stay as they are. */
export type KeyChange = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'payg'
    | 'monthlyCapUsd'
    | 'allowedModels'
    | 'limits'
    | 'expiresAt'
    | 'personId'
    | 'tags'
    | 'retries'
    | 'resumable'
  >
>;

/** A key with its secret, which is shown once and not stored. */
export type KeyWithSecret = { apiKey: ApiKey; secret: string };

/**
 * The operations on accounts and keys. The admin API, the dashboard and the first start use them.
 * A change is refused with `conflict` if other writers keep changing the same record.
 */
export interface Accounts {
  create(
    account: { name: string; email?: string | null; plan: Account['plan'] },
    actor: string,
  ): Promise<Account>;
  find(id: string): Promise<Account | Refusal>;
  list(page: AccountPage): Promise<Page<Account>>;
  change(id: string, change: AccountChange, actor: string): Promise<Account | Refusal>;
  createKey(accountId: string, key: NewKey, actor: string): Promise<KeyWithSecret | Refusal>;
  findKey(id: string): Promise<ApiKey | undefined>;
  listKeys(accountId: string): Promise<ApiKey[] | Refusal>;
  changeKey(id: string, change: KeyChange, actor: string): Promise<ApiKey | Refusal>;
  /** Gives the key a new secret. The former secret stays valid for `overlapMs`. */
  rotateKey(id: string, overlapMs: number, actor: string): Promise<KeyWithSecret | Refusal>;
  /**
   * Gives the key a new secret and another end, even if it has expired.
   * A secret that was valid stays valid for `overlapMs`.
   */
  renewKey(
    id: string,
    until: { overlapMs: number; expiresAt: number },
    actor: string,
  ): Promise<KeyWithSecret | Refusal>;
  revokeKey(id: string, actor: string): Promise<ApiKey | Refusal>;
  findAudit(id: string): Promise<AuditRecord | undefined>;
  listAudit(page: PageRequest & AuditFilter): Promise<Page<AuditRecord>>;
  /** Writes a change of what is not an account or a key to the audit log. */
  record(
    action: AuditAction,
    target: string,
    change: { before: unknown; after: unknown; actor: string },
  ): Promise<void>;
  /** Records an event that changes nothing. Repetitions within ten minutes are one entry with a count. */
  recordRepeated(event: Omit<RepeatedEvent, 'at'>): Promise<void>;
}
