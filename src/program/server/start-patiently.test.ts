import { expect, test } from 'bun:test';
import { ConnectionLost } from '../../store/postgres/connection/connection-lost.ts';
import { postgresProblem } from '../../store/postgres/postgres-problem.ts';
import { StoreProblem } from '../../store/store-problem.ts';
import { startPatiently } from './start-patiently.ts';

const lost = () => postgresProblem(new ConnectionLost('the server closed the connection'));
const waiting = { isStopping: () => false };

/** Fails with each of the problems in turn, and then starts. */
function failing(...problems: unknown[]) {
  const tries = { count: 0 };
  const start = async () => {
    tries.count += 1;
    const problem = problems.shift();
    if (problem) throw problem;
    return 'started';
  };
  return { start, tries };
}

test('a start begins again when the database server is lost', async () => {
  const { start, tries } = failing(lost(), lost());
  expect(await startPatiently(start, waiting)).toBe('started');
  expect(tries.count).toBe(3);
});

test('a start gives up on any other fault', async () => {
  const { start, tries } = failing(new StoreProblem('another form of migration 1', 'run that version'));
  await expect(startPatiently(start, waiting)).rejects.toThrow('another form');
  expect(tries.count).toBe(1);
});

test('a start gives up after 30 s', async () => {
  let time = 0;
  const { start, tries } = failing(...Array.from({ length: 9 }, lost));
  await expect(startPatiently(start, { ...waiting, now: () => (time += 15_000) })).rejects.toThrow('reached');
  expect(tries.count).toBe(2);
});

test('a start that was stopped does not begin again', async () => {
  const { start, tries } = failing(lost());
  await expect(startPatiently(start, { isStopping: () => true })).rejects.toThrow('reached');
  expect(tries.count).toBe(1);
});
