import { expect, test } from 'bun:test';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { reloadOrLog } from './reload.ts';

/** Reloads with a failure, and returns the lines of the log. */
async function failedWith(failure: unknown) {
  const lines: { event: string; fields: unknown }[] = [];
  const logger = { error: (event: string, fields?: object) => void lines.push({ event, fields }) };
  const reload = async () => {
    throw failure;
  };
  await reloadOrLog({ reload, logger }, 'another node');
  return lines;
}

test('a reload that fails is logged without an end of the process', async () => {
  expect(await failedWith(new Unavailable('The store is away', 'wait'))).toEqual([
    { event: 'reload-failed', fields: { problem: expect.stringContaining('The store is away') } },
  ]);
  const bug = new Error('a bug');
  expect(await failedWith(bug)).toEqual([
    { event: 'reload-failed', fields: { error: bug, stack: expect.stringContaining('a bug') } },
  ]);
});
