import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { handleRequest } from './edge.ts';
import type { Handler } from './route.ts';
import { createTestEdge } from './testing/create-test-edge.ts';
import { fromLoopback } from './testing/from-loopback.ts';

function answerOf(handle: Handler) {
  const describe = { summary: 'Answers', answer: 'None.' };
  const edge = createTestEdge(
    [{ method: 'GET', path: '/v1/models', handle, describe }],
    sampleSnapshot(),
    () => {},
  );
  const request = new Request('http://host/v1/models', { headers: { host: 'host' } });
  return handleRequest(edge, request, fromLoopback);
}

test('the head of an answer waits for headers that are read from the store', async () => {
  for (const handled of [{ status: 200, body: 'whole' }, new Refusal('not_found')]) {
    const answer = await answerOf((exchange) => {
      exchange.beforeHead = async () => {
        await Bun.sleep(0);
        exchange.headers['x-late'] = 'there';
      };
      return handled;
    });
    expect(answer.headers.get('x-late')).toBe('there');
  }
});

test('an answer whose headers are known is made without a wait', () => {
  const answer = answerOf((exchange) => {
    exchange.beforeHead = () => {
      exchange.headers['x-late'] = 'there';
    };
    return { status: 200, body: 'whole' };
  });
  expect((answer as Response).headers.get('x-late')).toBe('there');
});
