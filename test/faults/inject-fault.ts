import { existsSync, readFileSync } from 'node:fs';
import { systemClock } from '../../src/base/lib/clock.ts';
import { Tab } from '../../src/inference/settlement/tab.ts';
import { FileSpool } from '../../src/store/spool/file-spool.ts';
import { SqliteLedger } from '../../src/store/sqlite/ledger/sqlite-ledger.ts';
import { LogFlush } from '../../src/store/sqlite/log-flush.ts';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.ts';
import { StoreProblem } from '../../src/store/store-problem.ts';
import { crashingAt } from './crashing-at.ts';
import { type CrashPoint, FAULT_VARIABLE, type Fault, type Mutant } from './fault.ts';
import { wrap } from './wrap-method.ts';

// Preloaded into the program's process. Wraps the methods in which the fault happens.

const fault = JSON.parse(process.env[FAULT_VARIABLE] ?? '{}') as Fault;

const { before, after } = crashingAt(fault.crash?.passes);

const atStatement = (when: typeof before, matches: (sql: string) => boolean) =>
  wrap(
    SqliteConnection,
    'run',
    (original) =>
      function (sql: string, ...rest) {
        return (matches(sql) ? when(original) : original).call(this, sql, ...rest);
      },
  );
const isCommit = (sql: string) => sql === 'COMMIT';

const points: Record<CrashPoint, () => void> = {
  'after-hold': () => wrap(SqliteLedger, 'hold', after),
  'before-settlement': () => wrap(Tab, 'settle', before),
  'before-commit': () => atStatement(before, isCommit),
  'after-commit': () => atStatement(after, isCommit),
  'after-settlement': () => wrap(Tab, 'settle', after),
  'after-last-byte': () => wrap(Tab, 'close', before),
  'before-sweep': () => wrap(SqliteLedger, 'checkpoint', before),
  'after-sweep': () => wrap(SqliteLedger, 'checkpoint', after),
  // Each pass ends a hold, so the crash is in the middle of the transaction.
  'in-recovery': () => atStatement(after, (sql) => sql.startsWith('DELETE FROM open_hold')),
  'after-recovery': () => wrap(SqliteLedger, 'recoverHolds', after),
  'after-spooling': () => wrap(FileSpool, 'append', after),
  'before-wiping': () => wrap(FileSpool, 'remove', before),
  'after-replay': () => wrap(SqliteLedger, 'replay', after),
};

const mutations: Record<Mutant, () => void> = {
  'settles-behind-the-end': () =>
    wrap(
      SqliteLedger,
      'post',
      (post) =>
        async function (posting) {
          void post.call(this, posting);
        },
    ),
  'settles-50ms-later': () =>
    wrap(
      SqliteLedger,
      'post',
      (post) =>
        async function (posting) {
          setTimeout(() => post.call(this, posting), 50);
        },
    ),
  'recovers-twice': recoverTwice,
};

/** Returns the entry id among the values bound to a row. */
const ID_PLACE = 1;

/** Recovered holds get random entry ids, and a later transaction removes their rows. */
function recoverTwice(): void {
  const removals: (() => unknown)[] = [];
  let isRecovering = false;
  wrap(
    SqliteConnection,
    'run',
    (run) =>
      function (sql: string, bindings, ...rest) {
        if (isRecovering && sql.startsWith('DELETE FROM open_hold'))
          return void removals.push(() => run.call(this, sql, bindings, ...rest));
        const isEntry = isRecovering && sql.includes('INSERT INTO entry');
        const changed = isEntry
          ? bindings.with(ID_PLACE, `${bindings[ID_PLACE]}_${Math.random()}`)
          : bindings;
        return run.call(this, sql, ...(changed ? [changed] : []), ...rest);
      },
  );
  wrap(
    SqliteLedger,
    'recoverHolds',
    (recover) =>
      async function () {
        isRecovering = true;
        const recovered = await recover.call(this);
        isRecovering = false;
        for (const remove of removals.splice(0))
          await new Promise((done) => setTimeout(() => done(remove()), 5));
        return recovered;
      },
  );
}

const noSpace = () => new StoreProblem('There is no space left', 'make some');

function failCommits(isFull: () => boolean): void {
  const failing: typeof before = (original) =>
    function (...args) {
      if (isFull()) throw noSpace();
      return original.apply(this, args);
    };
  atStatement(failing, isCommit);
}

function fullFor({ fromCommit, forMs }: NonNullable<Fault['full']>): () => boolean {
  let commits = 0;
  let since: number | undefined;
  return () => {
    if (++commits >= fromCommit) since ??= performance.now();
    return since !== undefined && performance.now() - since < forMs;
  };
}

function failSpool(file: string): void {
  wrap(
    FileSpool,
    'append',
    (append) =>
      async function (...args) {
        if (existsSync(file)) throw noSpace();
        return append.apply(this, args);
      },
  );
}

function holdFlushes(file: string): void {
  wrap(
    LogFlush,
    'flush',
    (flush) =>
      async function () {
        while (existsSync(file)) await Bun.sleep(5);
        return flush.call(this);
      },
  );
}

function setClock(file: string): void {
  const aheadMs = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  wrap({ prototype: systemClock }, 'now', (now) => () => now() + aheadMs());
}

const { full, fullWhile, unflushedWhile, spoolFullWhile, clockAheadIn } = fault;
if (clockAheadIn) setClock(clockAheadIn);
if (unflushedWhile) holdFlushes(unflushedWhile);
if (full) failCommits(fullFor(full));
if (fullWhile) failCommits(() => existsSync(fullWhile));
if (spoolFullWhile) failSpool(spoolFullWhile);
if (fault.crash) points[fault.crash.point]();
if (fault.mutant) mutations[fault.mutant]();
