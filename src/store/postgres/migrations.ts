import type { PostgresMigration } from './migration.ts';
import { installation } from './migrations/001-installation.ts';
import { responses } from './migrations/002-responses.ts';
import { operation } from './migrations/003-operation.ts';
import { batches } from './migrations/004-batches.ts';
import { accounts } from './migrations/005-accounts.ts';
import { gate } from './migrations/010-gate.ts';
import { ledger } from './migrations/011-ledger.ts';
import { ledgerCare } from './migrations/012-ledger-care.ts';
import { nodes } from './migrations/020-nodes.ts';
import { providerShares } from './migrations/021-provider-shares.ts';
import { people } from './migrations/030-people.ts';
import { billing } from './migrations/031-billing.ts';
import { requestSums } from './migrations/032-request-sums.ts';
import { payloads } from './migrations/033-payloads.ts';
import { accountLists } from './migrations/034-account-lists.ts';
import { keyUses } from './migrations/035-key-uses.ts';
import { submissionMarks } from './migrations/036-submission-marks.ts';
import { debts } from './migrations/037-debts.ts';
import { unpaidCycles } from './migrations/038-unpaid-cycles.ts';
import { alertRings } from './migrations/039-alert-rings.ts';
import { shortfalls } from './migrations/040-shortfalls.ts';
import { joinedAudit } from './migrations/041-joined-audit.ts';
import { boundedKeys } from './migrations/042-bounded-keys.ts';
import { commitDates } from './migrations/043-commit-dates.ts';
import { batchVersions } from './migrations/044-batch-versions.ts';

/** All migrations in the order of their numbers. */
export const migrations: readonly PostgresMigration[] = [
  installation,
  responses,
  operation,
  batches,
  accounts,
  gate,
  ledger,
  ledgerCare,
  nodes,
  providerShares,
  people,
  billing,
  requestSums,
  payloads,
  accountLists,
  keyUses,
  submissionMarks,
  debts,
  unpaidCycles,
  alertRings,
  shortfalls,
  joinedAudit,
  boundedKeys,
  commitDates,
  batchVersions,
];
