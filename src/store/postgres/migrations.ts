import { schemaStep, withChecksums } from '../schema-step.ts';
import installation from './migrations/001-installation.sql' with { type: 'text' };
import responses from './migrations/002-responses.sql' with { type: 'text' };
import operation from './migrations/003-operation.sql' with { type: 'text' };
import batches from './migrations/004-batches.sql' with { type: 'text' };
import accounts from './migrations/005-accounts.sql' with { type: 'text' };
import gate from './migrations/010-gate.sql' with { type: 'text' };
import ledger from './migrations/011-ledger.sql' with { type: 'text' };
import ledgerCare from './migrations/012-ledger-care.sql' with { type: 'text' };
import nodes from './migrations/020-nodes.sql' with { type: 'text' };
import providerShares from './migrations/021-provider-shares.sql' with { type: 'text' };
import people from './migrations/030-people.sql' with { type: 'text' };
import billing from './migrations/031-billing.sql' with { type: 'text' };
import requestSums from './migrations/032-request-sums.sql' with { type: 'text' };
import payloads from './migrations/033-payloads.sql' with { type: 'text' };
import accountLists from './migrations/034-account-lists.sql' with { type: 'text' };
import keyUses from './migrations/035-key-uses.sql' with { type: 'text' };
import submissionMarks from './migrations/036-submission-marks.sql' with { type: 'text' };
import debts from './migrations/037-debts.sql' with { type: 'text' };
import unpaidCycles from './migrations/038-unpaid-cycles.sql' with { type: 'text' };
import alertRings from './migrations/039-alert-rings.sql' with { type: 'text' };
import shortfalls from './migrations/040-shortfalls.sql' with { type: 'text' };
import joinedAudit from './migrations/041-joined-audit.sql' with { type: 'text' };
import boundedKeys from './migrations/042-bounded-keys.sql' with { type: 'text' };
import commitDates from './migrations/043-commit-dates.sql' with { type: 'text' };
import batchVersions from './migrations/044-batch-versions.sql' with { type: 'text' };
import budgets from './migrations/045-budgets.sql' with { type: 'text' };
import keyLabels from './migrations/046-key-labels.sql' with { type: 'text' };
import conversations from './migrations/047-conversations.sql' with { type: 'text' };
import backgroundResponses from './migrations/048-background-responses.sql' with { type: 'text' };
import savedPrompts from './migrations/049-saved-prompts.sql' with { type: 'text' };
import storedSettings from './migrations/050-stored-settings.sql' with { type: 'text' };
import traffic from './migrations/051-traffic.sql' with { type: 'text' };
import refusals from './migrations/052-refusals.sql' with { type: 'text' };
import lockNumbers from './migrations/053-lock-numbers.sql' with { type: 'text' };
import providerFaults from './migrations/054-provider-faults.sql' with { type: 'text' };
import deviceSignIns from './migrations/055-device-sign-ins.sql' with { type: 'text' };
import recordedAnswers from './migrations/056-recorded-answers.sql' with { type: 'text' };
import mergedTraffic from './migrations/057-merged-traffic.sql' with { type: 'text' };
import contentKeys from './migrations/058-content-keys.sql' with { type: 'text' };
import requestMonths from './migrations/059-request-months.sql' with { type: 'text' };
import conversationsWithResponses from './migrations/060-conversations-with-responses.sql' with {
  type: 'text',
};
import trafficSlices from './migrations/061-traffic-slices.sql' with { type: 'text' };
import raisedCaps from './migrations/062-raised-caps.sql' with { type: 'text' };
import legend from './migrations/063-legend.sql' with { type: 'text' };
import latePostings from './migrations/064-late-postings.sql' with { type: 'text' };
import lateKeyMonths from './migrations/065-late-key-months.sql' with { type: 'text' };
import type { PostgresMigration } from './postgres-migration.ts';
import { recordedChecksums } from './recorded-checksums.ts';

/** All migrations in the order of their numbers. The numbers that are missing were never used. */
export const migrations: readonly PostgresMigration[] = withChecksums(
  [
    schemaStep(1, { installation }),
    schemaStep(2, { responses }),
    schemaStep(3, { operation }),
    schemaStep(4, { batches }),
    schemaStep(5, { accounts }),
    schemaStep(10, { gate }),
    schemaStep(11, { ledger }),
    schemaStep(12, { ledgerCare }),
    schemaStep(20, { nodes }),
    schemaStep(21, { providerShares }),
    schemaStep(30, { people }),
    schemaStep(31, { billing }),
    schemaStep(32, { requestSums }),
    schemaStep(33, { payloads }),
    schemaStep(34, { accountLists }),
    schemaStep(35, { keyUses }),
    schemaStep(36, { submissionMarks }),
    schemaStep(37, { debts }),
    schemaStep(38, { unpaidCycles }),
    schemaStep(39, { alertRings }),
    schemaStep(40, { shortfalls }),
    schemaStep(41, { joinedAudit }),
    schemaStep(42, { boundedKeys }),
    schemaStep(43, { commitDates }),
    schemaStep(44, { batchVersions }),
    schemaStep(45, { budgets }),
    schemaStep(46, { keyLabels }),
    schemaStep(47, { conversations }),
    schemaStep(48, { backgroundResponses }),
    schemaStep(49, { savedPrompts }),
    schemaStep(50, { storedSettings }),
    schemaStep(51, { traffic }),
    schemaStep(52, { refusals }),
    schemaStep(53, { lockNumbers }),
    schemaStep(54, { providerFaults }),
    schemaStep(55, { deviceSignIns }),
    schemaStep(56, { recordedAnswers }),
    schemaStep(57, { mergedTraffic }),
    schemaStep(58, { contentKeys }),
    schemaStep(59, { requestMonths }),
    schemaStep(60, { conversationsWithResponses }),
    schemaStep(61, { trafficSlices }),
    schemaStep(62, { raisedCaps }),
    schemaStep(63, { legend }),
    schemaStep(64, { latePostings }),
    schemaStep(65, { lateKeyMonths }),
  ],
  recordedChecksums,
);
