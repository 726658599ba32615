import type { AccountView } from '../../../src/api/admin/account-view.ts';
import type { alertView } from '../../../src/api/admin/alert-view.ts';
import type { auditView } from '../../../src/api/admin/audit-view.ts';
import type { entryView } from '../../../src/api/admin/entry-view.ts';
import type { keyView } from '../../../src/api/admin/key-view.ts';
import type { nodeView } from '../../../src/api/admin/node-routes.ts';
import type { personView } from '../../../src/api/admin/people-view.ts';
import type { providerView } from '../../../src/api/admin/provider-view.ts';
import type { requestView } from '../../../src/api/admin/request-view.ts';
import type { tokenView } from '../../../src/api/admin/token-view.ts';
import type { verificationView } from '../../../src/money/ledger/verification-view.ts';

export type AccountRow = AccountView;
export type AlertRow = ReturnType<typeof alertView>;
export type AuditRow = ReturnType<typeof auditView>;
export type EntryRow = ReturnType<typeof entryView>;
export type KeyRow = ReturnType<typeof keyView>;
export type NodeRow = ReturnType<typeof nodeView>;
export type PersonRow = ReturnType<typeof personView>;
export type ProviderRow = ReturnType<typeof providerView>;
export type RequestRow = ReturnType<typeof requestView>;
export type TokenRow = ReturnType<typeof tokenView>;
export type Verification = ReturnType<typeof verificationView>;

export type Finding = { check: string; status: 'ok' | 'warn' | 'fail'; message: string; mend: string | null };
export type Doctor = { ok: boolean; config_file: string | null; findings: Finding[] };
