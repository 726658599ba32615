import { AccountRecords } from './account-records.ts';
import { AuditRecords } from './audit-records.ts';
import { joinParts } from './join-parts.ts';
import { KeyRecords } from './key-records.ts';
import type { RecordQueries } from './record-queries.ts';
import { TokenRecords } from './token-records.ts';

export type CommonRecords = AccountRecords & KeyRecords & TokenRecords & AuditRecords;

/** Accounts, keys, admin tokens and the audit log, which both kinds of databases keep in the same way. */
export const commonRecords = (queries: RecordQueries): CommonRecords =>
  joinParts(
    new AccountRecords(queries),
    new KeyRecords(queries),
    new TokenRecords(queries),
    new AuditRecords(queries),
  );
