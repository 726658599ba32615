import { expect, test } from 'bun:test';
import { StoreProblem } from '../store-problem.ts';
import { PostgresError } from './connection/postgres-error.ts';
import { postgresProblem } from './postgres-problem.ts';

const errorOf = (code: string) =>
  new PostgresError(
    new Map([
      ['C', code],
      ['M', 'the words of the server'],
    ]),
  );

test.each([
  ['53300', 'raise max_connections'],
  ['53100', 'free space'],
  ['53200', 'memory'],
  ['57P01', 'wait until'],
  ['57P03', 'wait until'],
  ['57014', 'statement_timeout'],
  ['25006', 'primary'],
  ['25P03', 'load'],
  ['28P01', 'password'],
  ['3D000', 'create the database'],
  ['42501', 'owner'],
  ['40P01', 'try again'],
  ['26000', 'PgBouncer'],
  ['58030', 'log'],
])('%s is a problem of the store with a hint: %s', (code, hint) => {
  const problem = postgresProblem(errorOf(code)) as StoreProblem;
  expect(problem).toBeInstanceOf(StoreProblem);
  expect(problem.message).toContain(`(${code}: the words of the server)`);
  expect(problem.hint).toContain(hint);
});

test.each(['42601', '23505', '22P02', 'P0001'])('%s is an error of the program', (code) => {
  const error = errorOf(code);
  expect(postgresProblem(error)).toBe(error);
});
