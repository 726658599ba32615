import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { Steering } from './steering.ts';
import type { ActiveTurn } from './turn-lanes.ts';

test('the input that waits on a connection takes no more memory than one body, which is booked', () => {
  const types: unknown[] = [];
  let kept = 0;
  const request = partial<ActiveTurn['request']>({ lane: undefined, body: knownBody('{}', { model: 'm' }) });
  const turn = partial<ActiveTurn>({ request, steers: [] });
  const steering = new Steering({
    emit: (event) => void types.push('error' in event ? Object(event.error).code : 'accepted'),
    turnOf: () => turn,
    isRecent: () => false,
    steers: () => true,
    memory: {
      keep(_, characters) {
        const isKept = characters < 9_000_000;
        if (isKept) kept = characters;
        return isKept;
      },
    },
  });
  const steer = (characters: number) => {
    const event = parseBodyAtOnce(
      JSON.stringify({ input: 'x'.repeat(characters), previous_response_id: 'r' }),
    );
    if (!(event instanceof Refusal)) steering.steer(event);
  };
  for (const characters of [6_000_000, 6_000_000, 1_000, 3_500_000]) steer(characters);
  expect(types).toEqual(['accepted', 'too_many_pending_steers', 'accepted', 'too_many_pending_steers']);
  expect(kept).toBeWithin(6_001_000, 6_002_000);
  steering.failAll(turn);
  expect(kept).toBe(0);
});
