import type { AccountView } from '../../../src/console/admin/account-view.ts';
import type { alertView } from '../../../src/console/admin/alert-view.ts';
import type { auditView } from '../../../src/console/admin/audit-view.ts';
import type { entryView } from '../../../src/console/admin/entry-view.ts';
import type { keyView } from '../../../src/console/admin/key-view.ts';
import type { nodeView } from '../../../src/console/admin/node-routes.ts';
import type { personView } from '../../../src/console/admin/people-view.ts';
import type { providerView } from '../../../src/console/admin/provider-view.ts';
import type { requestView } from '../../../src/console/admin/request-view.ts';
import type { tokenView } from '../../../src/console/admin/token-view.ts';
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
