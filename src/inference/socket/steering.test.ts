import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { Steering } from './steering.ts';
import type { ActiveTurn } from './turn-lanes.ts';

test('the input that waits on a connection takes no more memory than one body', () => {
  const types: unknown[] = [];
  const body = { value: { model: 'm' } };
  const turn = { request: { lane: undefined, body }, steers: [] } as unknown as ActiveTurn;
  const steering = new Steering({
    emit: (event) => types.push('error' in event ? Object(event.error).code : 'accepted'),
    turnOf: () => turn,
    isRecent: () => false,
    steers: () => true,
  });
  const steer = (characters: number) => {
    const event = parseBodyAtOnce(
      JSON.stringify({ input: 'x'.repeat(characters), previous_response_id: 'r' }),
    );
    if (!(event instanceof Refusal)) steering.steer(event);
  };
  for (const characters of [6_000_000, 6_000_000, 1_000]) steer(characters);
  expect(types).toEqual(['accepted', 'too_many_pending_steers', 'accepted']);
});
