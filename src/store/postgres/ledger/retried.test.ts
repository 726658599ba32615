import { expect, test } from 'bun:test';
import { PostgresError } from '../connection/postgres-error.ts';
import { postgresProblem } from '../postgres-problem.ts';
import { retried } from './retried.ts';

/** Returns an error of the server as the database reports it. */
const failure = (code: string): unknown => postgresProblem(new PostgresError(new Map([['C', code]])));

async function triesUntil(errors: unknown[]): Promise<number> {
  let tries = 0;
  await retried(async () => {
    const error = errors[tries++];
    if (error) throw error;
  }).catch(() => {});
  return tries;
}

test('a transaction that Postgres rolled back for another one is repeated, up to five times', async () => {
  expect(await triesUntil([failure('40P01'), failure('40001')])).toBe(3);
  expect(await triesUntil(Array.from({ length: 9 }, () => failure('40P01')))).toBe(5);
});

test('no other failure is repeated', async () => {
  for (const code of ['57P01', '23505', '53100']) expect(await triesUntil([failure(code)])).toBe(1);
});
