import type { Migration } from './migration.ts';
import { accounts } from './migrations/001-accounts.ts';
import { responses } from './migrations/002-responses.ts';
import { ledger } from './migrations/003-ledger.ts';
import { usageDays } from './migrations/004-usage-days.ts';
import { batches } from './migrations/005-batches.ts';
import { delivery } from './migrations/006-delivery.ts';
import { nativeBatches } from './migrations/007-native-batches.ts';
import { keyExcess } from './migrations/008-key-excess.ts';
import { ledgerSeals } from './migrations/009-ledger-seals.ts';
import { storedTexts } from './migrations/010-stored-texts.ts';
import { storageSteps } from './migrations/011-storage-steps.ts';
import { ledgerSegments } from './migrations/012-ledger-segments.ts';
import { requests } from './migrations/013-requests.ts';
import { rotation } from './migrations/014-rotation.ts';
import { alerts } from './migrations/015-alerts.ts';
import { people } from './migrations/016-people.ts';
import { requestSums } from './migrations/017-request-sums.ts';
import { accountLists } from './migrations/018-account-lists.ts';
import { keyUses } from './migrations/019-key-uses.ts';
import { payloads } from './migrations/020-payloads.ts';
import { billing } from './migrations/021-billing.ts';
import { auditLists } from './migrations/022-audit-lists.ts';
import { submissionMarks } from './migrations/023-submission-marks.ts';
import { unpaidCycles } from './migrations/024-unpaid-cycles.ts';
import { alertRings } from './migrations/025-alert-rings.ts';
import { shortfalls } from './migrations/026-shortfalls.ts';
import { auditChanges } from './migrations/027-audit-changes.ts';
import { batchVersions } from './migrations/028-batch-versions.ts';

/** In order, numbered from 1 without gaps. There are no down migrations. */
export const migrations: readonly Migration[] = [
  accounts,
  responses,
  ledger,
  usageDays,
  batches,
  delivery,
  nativeBatches,
  keyExcess,
  ledgerSeals,
  storedTexts,
  storageSteps,
  ledgerSegments,
  requests,
  rotation,
  alerts,
  people,
  requestSums,
  accountLists,
  keyUses,
  payloads,
  billing,
  auditLists,
  submissionMarks,
  unpaidCycles,
  alertRings,
  shortfalls,
  auditChanges,
  batchVersions,
];
