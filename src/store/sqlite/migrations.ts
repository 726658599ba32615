import { schemaStep, withChecksums } from '../schema-step.ts';
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
import recordingIndexes from './migrations/043-recording-indexes.sql' with { type: 'text' };
import providerDrains from './migrations/044-provider-drains.sql' with { type: 'text' };
import { recordedChecksums } from './recorded-checksums.ts';

/** Migrations in order, numbered from 1 without gaps. There are no down migrations. */
export const migrations: readonly Migration[] = withChecksums(
  [
    schemaStep(1, { accounts }),
    schemaStep(2, { responses }),
    schemaStep(3, { ledger }),
    schemaStep(4, { usageDays }),
    schemaStep(5, { batches }),
    schemaStep(6, { delivery }),
    schemaStep(7, { nativeBatches }),
    schemaStep(8, { keyExcess }),
    { ...schemaStep(9, { ledgerSeals }), fill: sealLedger },
    schemaStep(10, { storedTexts }),
    schemaStep(11, { storageSteps }),
    schemaStep(12, { ledgerSegments }),
    schemaStep(13, { requests }),
    schemaStep(14, { rotation }),
    schemaStep(15, { alerts }),
    schemaStep(16, { people }),
    schemaStep(17, { requestSums }),
    schemaStep(18, { accountLists }),
    schemaStep(19, { keyUses }),
    schemaStep(20, { payloads }),
    schemaStep(21, { billing }),
    schemaStep(22, { auditLists }),
    schemaStep(23, { submissionMarks }),
    schemaStep(24, { unpaidCycles }),
    schemaStep(25, { alertRings }),
    schemaStep(26, { shortfalls }),
    schemaStep(27, { auditChanges }),
    schemaStep(28, { batchVersions }),
    schemaStep(29, { budgets }),
    schemaStep(30, { keyLabels }),
    schemaStep(31, { conversations }),
    schemaStep(32, { backgroundResponses }),
    schemaStep(33, { savedPrompts }),
    schemaStep(34, { storedSettings }),
    schemaStep(35, { traffic }),
    schemaStep(36, { refusals }),
    schemaStep(37, { providerFaults }),
    schemaStep(38, { deviceSignIns }),
    schemaStep(39, { recordedAnswers }),
    schemaStep(40, { mergedTraffic }),
    schemaStep(41, { contentKeys }),
    schemaStep(42, { trafficSlices }),
    schemaStep(43, { recordingIndexes }),
    schemaStep(44, { providerDrains }),
  ],
  recordedChecksums,
);
