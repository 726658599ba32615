import * as created from '../../../archive/new-segment-file.ts';
import * as archived from '../../../archive/segment-writer.ts';
import { LogFlush } from '../../log-flush.ts';
import { openSqliteStore } from '../../open-sqlite-store.ts';
import { SqliteConnection } from '../../sqlite-connection.ts';

// Archives the ledger in a directory, and ends with SIGKILL at a step:
// `archive-until-killed.ts DIRECTORY BEFORE STEP`.

// biome-ignore lint/suspicious/noExplicitAny: methods of any class
type Method = (this: any, ...args: any[]) => any;

const [directory, before, step] = process.argv.slice(2) as [string, string, string];
const die = () => process.kill(process.pid, 'SIGKILL');
const { SegmentWriter } = archived;
const { NewSegmentFile } = created;

function wrap(of: { prototype: object }, name: string, around: (original: Method) => Method): void {
  const methods = of.prototype as Record<string, Method>;
  methods[name] = around(methods[name]!);
}

/** Ends the process before the call with this number, counted from 1. */
const beforeCall =
  (number: number, isIt: (first: unknown) => boolean = () => true) =>
  (original: Method): Method => {
    let calls = 0;
    return function (...args) {
      if (isIt(args[0])) calls += 1;
      if (isIt(args[0]) && calls === number) die();
      return original.apply(this, args);
    };
  };

const afterCall = (original: Method): Method =>
  async function (...args) {
    const result = await original.apply(this, args);
    die();
    return result;
  };

const inserts = (sql: unknown) => String(sql).includes('INSERT INTO ledger_segment');
const deletes = (sql: unknown) => String(sql).includes('DELETE FROM entry');

/** Ends the process after the statement ran, before or after the commit of its transaction is on disk. */
function afterRecord({ flushed }: { flushed: boolean }): void {
  let isRecorded = false;
  wrap(SqliteConnection, 'run', (original) => {
    return function (...args) {
      if (inserts(args[0])) isRecorded = true;
      return original.apply(this, args);
    };
  });
  wrap(LogFlush, 'flush', (original) => {
    return async function (...args) {
      if (isRecorded && !flushed) die();
      const result = await original.apply(this, args);
      if (isRecorded) die();
      return result;
    };
  });
}

const steps: Record<string, () => void> = {
  'before the first block': () => wrap(SegmentWriter, 'addBlock', beforeCall(1)),
  'in the middle of the file': () => wrap(SegmentWriter, 'addBlock', beforeCall(2)),
  'before the flush': () => wrap(NewSegmentFile, 'flush', beforeCall(1)),
  'after the flush': () => wrap(NewSegmentFile, 'flush', afterCall),
  'before the new name': () => wrap(NewSegmentFile, 'publish', beforeCall(1)),
  'after the new name': () => wrap(NewSegmentFile, 'publish', afterCall),
  'before the record': () => wrap(SqliteConnection, 'run', beforeCall(1, inserts)),
  'before the record is on disk': () => afterRecord({ flushed: false }),
  'after the record is on disk': () => afterRecord({ flushed: true }),
  'before the first rows are deleted': () => wrap(SqliteConnection, 'run', beforeCall(1, deletes)),
  'after some rows are deleted': () => wrap(SqliteConnection, 'run', beforeCall(2, deletes)),
};
steps[step]!();

const store = await openSqliteStore({ directory });
await store.ledger.archiveEntries({ before: Number(before) });
await store.close();
