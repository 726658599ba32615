import { writeSync } from 'node:fs';
import { sampleAccount, sampleAudit } from '../../testing/conformance/sample-records.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';

// A separate process for tests to kill. It creates accounts endlessly, and prints each id once acknowledged.

const WRITERS = 16;

const store = await openSqliteStore({ directory: process.argv[2] ?? '' });

async function createOn(): Promise<never> {
  for (;;) {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit({ target: account.id }));
    writeSync(1, `${account.id}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, createOn));
