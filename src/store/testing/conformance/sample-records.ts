import { createHash } from 'node:crypto';
import { newId } from '../../../base/lib/ids.ts';
import type { AdminToken } from '../../../customers/operators/admin-token.ts';
import type { Account } from '../../../money/accounts/account.ts';
import type { ApiKey } from '../../../money/accounts/api-key.ts';
import type { AuditEntry, AuditRecord } from '../../../money/accounts/audit.ts';

const sampleTime = Date.UTC(2026, 0, 31, 12, 30, 0, 123);

export function sampleAccount(fields: Partial<Account> = {}): Account {
  return {
    id: newId('acct_'),
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: false,
    plan: 'free',
    pendingPlan: null,
    status: 'active',
    priceUsdPerMonth: null,
    planOverrides: null,
    unpaidFrom: null,
    cycleStartedAt: sampleTime,
    cycleDay: 31,
    createdAt: sampleTime,
    version: 1,
    ...fields,
  };
}

export function sampleKey(accountId: string, fields: Partial<ApiKey> = {}): ApiKey {
  const id = newId('key_');
  return {
    id,
    accountId,
    hash: createHash('sha256').update(id).digest('hex'),
    hint: 'svc_live_3f',
    name: null,
    payg: false,
    monthlyCapUsd: null,
    allowedModels: null,
    limits: null,
    previous: null,
    personId: null,
    tags: null,
    retries: 'none',
    resumable: false,
    createdAt: sampleTime,
    expiresAt: null,
    revokedAt: null,
    version: 1,
    ...fields,
  };
}

export function sampleToken(fields: Partial<AdminToken> = {}): AdminToken {
  const id = newId('tok_');
  return {
    id,
    name: id,
    role: 'operator',
    hash: createHash('sha256').update(id).digest('hex'),
    hint: 'tga_3f8a1c',
    previous: null,
    createdAt: sampleTime,
    expiresAt: null,
    revokedAt: null,
    version: 1,
    ...fields,
  };
}

/** Returns an entry. Stores keep any text as its action. */
export function sampleAudit(fields: Partial<Omit<AuditRecord, 'id' | 'changes'>> = {}): AuditEntry {
  const entry = {
    at: sampleTime,
    actor: 'admin',
    action: 'account-create',
    target: 'acct_1',
    before: null,
    after: { name: 'Ada' },
    ...fields,
  };
  return entry as AuditEntry;
}
