import { withChecksums } from '../schema-step.ts';
import type { PostgresMigration } from './migration.ts';
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
import { recordedChecksums } from './recorded-checksums.ts';

/** All migrations in the order of their numbers. The numbers that are missing were never used. */
export const migrations: readonly PostgresMigration[] = withChecksums(
  [
    { number: 1, name: 'installation', sql: installation },
    { number: 2, name: 'responses', sql: responses },
    { number: 3, name: 'operation', sql: operation },
    { number: 4, name: 'batches', sql: batches },
    { number: 5, name: 'accounts', sql: accounts },
    { number: 10, name: 'gate', sql: gate },
    { number: 11, name: 'ledger', sql: ledger },
    { number: 12, name: 'ledger-care', sql: ledgerCare },
    { number: 20, name: 'nodes', sql: nodes },
    { number: 21, name: 'provider-shares', sql: providerShares },
    { number: 30, name: 'people', sql: people },
    { number: 31, name: 'billing', sql: billing },
    { number: 32, name: 'request-sums', sql: requestSums },
    { number: 33, name: 'payloads', sql: payloads },
    { number: 34, name: 'account-lists', sql: accountLists },
    { number: 35, name: 'key-uses', sql: keyUses },
    { number: 36, name: 'submission-marks', sql: submissionMarks },
    { number: 37, name: 'debts', sql: debts },
    { number: 38, name: 'unpaid-cycles', sql: unpaidCycles },
    { number: 39, name: 'alert-rings', sql: alertRings },
    { number: 40, name: 'shortfalls', sql: shortfalls },
    { number: 41, name: 'joined-audit', sql: joinedAudit },
    { number: 42, name: 'bounded-keys', sql: boundedKeys },
    { number: 43, name: 'commit-dates', sql: commitDates },
    { number: 44, name: 'batch-versions', sql: batchVersions },
    { number: 45, name: 'budgets', sql: budgets },
    { number: 46, name: 'key-labels', sql: keyLabels },
    { number: 47, name: 'conversations', sql: conversations },
    { number: 48, name: 'background-responses', sql: backgroundResponses },
    { number: 49, name: 'saved-prompts', sql: savedPrompts },
    { number: 50, name: 'stored-settings', sql: storedSettings },
    { number: 51, name: 'traffic', sql: traffic },
    { number: 52, name: 'refusals', sql: refusals },
    { number: 53, name: 'lock-numbers', sql: lockNumbers },
    { number: 54, name: 'provider-faults', sql: providerFaults },
    { number: 55, name: 'device-sign-ins', sql: deviceSignIns },
    { number: 56, name: 'recorded-answers', sql: recordedAnswers },
    { number: 57, name: 'merged-traffic', sql: mergedTraffic },
    { number: 58, name: 'content-keys', sql: contentKeys },
    { number: 59, name: 'request-months', sql: requestMonths },
    { number: 60, name: 'conversations-with-responses', sql: conversationsWithResponses },
    { number: 61, name: 'traffic-slices', sql: trafficSlices },
    { number: 62, name: 'raised-caps', sql: raisedCaps },
    { number: 63, name: 'legend', sql: legend },
  ],
  recordedChecksums,
);
