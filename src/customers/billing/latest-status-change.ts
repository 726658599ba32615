import type { Account } from '../../money/accounts/account.ts';
import type { AuditRecord } from '../../money/accounts/audit.ts';
import type { BillingParts } from './billing-parts.ts';

const RECORDS_AT_A_TIME = 100;

/**
 * Returns the latest change of an account's status. Undefined if the audit log has none, or has it no longer.
 */
export async function latestStatusChange(
  { accounts }: Pick<BillingParts, 'accounts'>,
  target: string,
): Promise<AuditRecord | undefined> {
  for (let after: string | undefined; ; ) {
    const page = { target, action: 'account-change', limit: RECORDS_AT_A_TIME };
    const { items, hasMore } = await accounts.listAudit({ ...page, ...(after !== undefined && { after }) });
    const found = items.find(({ before, after }) => statusOf(before) !== statusOf(after));
    if (found || !hasMore) return found;
    after = items.at(-1)!.id;
  }
}

const statusOf = (account: unknown): Account['status'] | undefined =>
  (account as Partial<Account> | null)?.status;
