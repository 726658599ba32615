import { resolve } from 'node:path';
import { counted } from '../../base/lib/counted.ts';
import { migrateStore } from '../migrate-store/migrate-store.ts';
import type { MovedRows } from '../migrate-store/move-table.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import { explained } from './explained.ts';
import { ledgerSize } from './ledger-size.ts';
import { printJson } from './print-answer.ts';

const REPORT_EVERY_MS = 2_000;

/** Moves a data directory to Postgres. */
export const migrateStoreCommand: Run = async (invocation) => {
  const { terminal } = invocation;
  const to = invocation.text('to') ?? terminal.environment.DATABASE_URL;
  if (!to) throw new UsageError('--to URL is missing');
  const from = resolve(invocation.text('from') ?? dataDirectory(invocation));
  const isJson = invocation.flag('json');
  let reportedAt = Date.now();
  const report = ({ table, rows, isLast }: MovedRows) => {
    if (isJson || (!isLast && Date.now() - reportedAt < REPORT_EVERY_MS)) return;
    reportedAt = Date.now();
    terminal.print(`${table}: ${counted(rows, 'row')}`);
  };
  const { moved, wasComplete, verified } = await explained(() => migrateStore({ from, to, report }));
  const { accounts, entries, faults } = verified;
  if (isJson)
    printJson(invocation, { moved, was_complete: wasComplete, accounts, entries, faults: faults.length });
  else if (wasComplete) terminal.print(`${from} was moved before. Nothing was added.`);
  else terminal.print(`Moved ${from}: ${ledgerSize(verified)}, all balances match the entries`);
  return faults.length === 0 ? 0 : 1;
};
