import { withChecksums } from '../schema-step.ts';
import type { Migration } from './migration.ts';
import accounts from './migrations/001-accounts.sql' with { type: 'text' };
import responses from './migrations/002-responses.sql' with { type: 'text' };
import ledger from './migrations/003-ledger.sql' with { type: 'text' };
import usageDays from './migrations/004-usage-days.sql' with { type: 'text' };
import batches from './migrations/005-batches.sql' with { type: 'text' };
import delivery from './migrations/006-delivery.sql' with { type: 'text' };
import nativeBatches from './migrations/007-native-batches.sql' with { type: 'text' };
import keyExcess from './migrations/008-key-excess.sql' with { type: 'text' };
import ledgerSeals from './migrations/009-ledger-seals.sql' with { type: 'text' };
import { sealLedger } from './migrations/009-ledger-seals.ts';
import storedTexts from './migrations/010-stored-texts.sql' with { type: 'text' };
import storageSteps from './migrations/011-storage-steps.sql' with { type: 'text' };
import ledgerSegments from './migrations/012-ledger-segments.sql' with { type: 'text' };
import requests from './migrations/013-requests.sql' with { type: 'text' };
import rotation from './migrations/014-rotation.sql' with { type: 'text' };
import alerts from './migrations/015-alerts.sql' with { type: 'text' };
import people from './migrations/016-people.sql' with { type: 'text' };
import requestSums from './migrations/017-request-sums.sql' with { type: 'text' };
import accountLists from './migrations/018-account-lists.sql' with { type: 'text' };
import keyUses from './migrations/019-key-uses.sql' with { type: 'text' };
import payloads from './migrations/020-payloads.sql' with { type: 'text' };
import billing from './migrations/021-billing.sql' with { type: 'text' };
import auditLists from './migrations/022-audit-lists.sql' with { type: 'text' };
import submissionMarks from './migrations/023-submission-marks.sql' with { type: 'text' };
import unpaidCycles from './migrations/024-unpaid-cycles.sql' with { type: 'text' };
import alertRings from './migrations/025-alert-rings.sql' with { type: 'text' };
import shortfalls from './migrations/026-shortfalls.sql' with { type: 'text' };
import auditChanges from './migrations/027-audit-changes.sql' with { type: 'text' };
import batchVersions from './migrations/028-batch-versions.sql' with { type: 'text' };
import budgets from './migrations/029-budgets.sql' with { type: 'text' };
import keyLabels from './migrations/030-key-labels.sql' with { type: 'text' };
import conversations from './migrations/031-conversations.sql' with { type: 'text' };
import backgroundResponses from './migrations/032-background-responses.sql' with { type: 'text' };
import savedPrompts from './migrations/033-saved-prompts.sql' with { type: 'text' };
import storedSettings from './migrations/034-stored-settings.sql' with { type: 'text' };
import traffic from './migrations/035-traffic.sql' with { type: 'text' };
import refusals from './migrations/036-refusals.sql' with { type: 'text' };
import providerFaults from './migrations/037-provider-faults.sql' with { type: 'text' };
import deviceSignIns from './migrations/038-device-sign-ins.sql' with { type: 'text' };
import recordedAnswers from './migrations/039-recorded-answers.sql' with { type: 'text' };
import mergedTraffic from './migrations/040-merged-traffic.sql' with { type: 'text' };
import contentKeys from './migrations/041-content-keys.sql' with { type: 'text' };
import trafficSlices from './migrations/042-traffic-slices.sql' with { type: 'text' };
import { recordedChecksums } from './recorded-checksums.ts';

/** Migrations in order, numbered from 1 without gaps. There are no down migrations. */
export const migrations: readonly Migration[] = withChecksums(
  [
    { number: 1, name: 'accounts', sql: accounts },
    { number: 2, name: 'responses', sql: responses },
    { number: 3, name: 'ledger', sql: ledger },
    { number: 4, name: 'usage-days', sql: usageDays },
    { number: 5, name: 'batches', sql: batches },
    { number: 6, name: 'delivery', sql: delivery },
    { number: 7, name: 'native-batches', sql: nativeBatches },
    { number: 8, name: 'key-excess', sql: keyExcess },
    { number: 9, name: 'ledger-seals', sql: ledgerSeals, fill: sealLedger },
    { number: 10, name: 'stored-texts', sql: storedTexts },
    { number: 11, name: 'storage-steps', sql: storageSteps },
    { number: 12, name: 'ledger-segments', sql: ledgerSegments },
    { number: 13, name: 'requests', sql: requests },
    { number: 14, name: 'rotation', sql: rotation },
    { number: 15, name: 'alerts', sql: alerts },
    { number: 16, name: 'people', sql: people },
    { number: 17, name: 'request-sums', sql: requestSums },
    { number: 18, name: 'account-lists', sql: accountLists },
    { number: 19, name: 'key-uses', sql: keyUses },
    { number: 20, name: 'payloads', sql: payloads },
    { number: 21, name: 'billing', sql: billing },
    { number: 22, name: 'audit-lists', sql: auditLists },
    { number: 23, name: 'submission-marks', sql: submissionMarks },
    { number: 24, name: 'unpaid-cycles', sql: unpaidCycles },
    { number: 25, name: 'alert-rings', sql: alertRings },
    { number: 26, name: 'shortfalls', sql: shortfalls },
    { number: 27, name: 'audit-changes', sql: auditChanges },
    { number: 28, name: 'batch-versions', sql: batchVersions },
    { number: 29, name: 'budgets', sql: budgets },
    { number: 30, name: 'key-labels', sql: keyLabels },
    { number: 31, name: 'conversations', sql: conversations },
    { number: 32, name: 'background-responses', sql: backgroundResponses },
    { number: 33, name: 'saved-prompts', sql: savedPrompts },
    { number: 34, name: 'stored-settings', sql: storedSettings },
    { number: 35, name: 'traffic', sql: traffic },
    { number: 36, name: 'refusals', sql: refusals },
    { number: 37, name: 'provider-faults', sql: providerFaults },
    { number: 38, name: 'device-sign-ins', sql: deviceSignIns },
    { number: 39, name: 'recorded-answers', sql: recordedAnswers },
    { number: 40, name: 'merged-traffic', sql: mergedTraffic },
    { number: 41, name: 'content-keys', sql: contentKeys },
    { number: 42, name: 'traffic-slices', sql: trafficSlices },
  ],
  recordedChecksums,
);
