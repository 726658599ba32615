import { expect, test } from 'bun:test';
import { knownBody } from '../../base/json/json-body.ts';
import { TurnLanes } from './turn-lanes.ts';
import type { TurnRequest } from './turn-request.ts';

const turn = (lane: string, length: number): TurnRequest => ({
  lane,
  generates: true,
  body: knownBody('x'.repeat(length), {}),
});

test('the turns that wait on a socket take no more memory together than one body', () => {
  const lanes = new TurnLanes({
    run: () => new Promise(() => {}),
    onEmptied() {},
    memory: { keep: () => true },
  });
  const add = (lane: string, length: number) => lanes.add(turn(lane, length), { maxTurns: 8 });
  const megabytes = 1024 * 1024;
  expect(add('one', 9 * megabytes)).toBe(true);
  expect(add('two', 9 * megabytes)).toBe(true);
  expect([add('one', 9 * megabytes), add('two', 2 * megabytes), add('two', 100)]).toEqual([
    true,
    false,
    true,
  ]);
});
