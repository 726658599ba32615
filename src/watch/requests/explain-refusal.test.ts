import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../base/errors/catalogue.ts';
import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { explainRefusal } from './explain-refusal.ts';
import { adviceFor } from './refusal-advice.ts';

const USD = 500_000_000;
const CREDIT = 1_000_000;
const at = Date.UTC(2026, 10, 22, 10, 0, 5);
const resets_at = Date.UTC(2026, 11, 1);

const sentence = (facts: RefusalFacts): string | undefined =>
  explainRefusal({ code: 'x', message: 'No.', ended_at: at, facts })?.sentence;

describe('a refusal is explained with its figures', () => {
  test.each<[string, RefusalFacts, string]>([
    [
      'a cap that was reached',
      { bound: 'key-cap-reached', limit: 5 * USD, used: 5.02 * USD, resets_at },
      "The key's cap of $5.00 was reached by $5.02 at 2026-11-22 10:00:05 UTC; it resets on 2026-12-01 00:00:00 UTC.",
    ],
    [
      'a cap with too little left',
      { bound: 'key-cap-reached', limit: 5 * USD, used: 4.99 * USD, asked: 0.05 * USD, resets_at },
      'The key had spent $4.99 of its cap of $5.00 at 2026-11-22 10:00:05 UTC, and the request could cost $0.05 at the least \
beside those under way; it resets on 2026-12-01 00:00:00 UTC.',
    ],
    [
      'a plan without credits left',
      { bound: 'period-used-up', limit: 1_000 * CREDIT, used: 1_000.5 * CREDIT, resets_at },
      '1,000 credits of the plan were used up by 1,000.5 credits at 2026-11-22 10:00:05 UTC. They reset on 2026-12-01 \
00:00:00 UTC.',
    ],
    [
      'a plan whose credits are given once',
      { bound: 'period-used-up', limit: 10 * CREDIT, used: 10 * CREDIT, resets_at: null },
      '10 credits of the plan were used up by 10 credits at 2026-11-22 10:00:05 UTC. They are given once.',
    ],
    [
      'too little purchased credit',
      { bound: 'purchased-too-little', limit: USD, used: 0.9999 * USD, asked: 0.002 * USD },
      'The request could cost $0.002 at the least, and $0.0001 of purchased credit was left at 2026-11-22 10:00:05 UTC. \
Requests under way hold a part of it.',
    ],
    [
      'a full window of requests',
      { bound: 'requests', limit: 60, used: 60, asked: 1, window_s: 60, wait_ms: 12_340 },
      'The plan has 60 requests in a minute. 60 of them were taken at 2026-11-22 10:00:05 UTC, and the request asked for 1 \
more. There was room again 12.3 seconds later, at 2026-11-22 10:00:17 UTC.',
    ],
    [
      'a window whose rest is unknown',
      { bound: 'long-requests', limit: 100, asked: 1, window_s: 300, wait_ms: 1_000 },
      'The plan has 100 requests in 5 minutes. It was full at 2026-11-22 10:00:05 UTC, and the request asked for 1 more. \
There was room again 1 second later, at 2026-11-22 10:00:06 UTC.',
    ],
    [
      'too many at a time',
      { bound: 'key-concurrent', limit: 2, used: 2, wait_ms: 1_000 },
      'The key may have 2 requests under way at a time, and 2 were at 2026-11-22 10:00:05 UTC. There is room as soon as one \
of them ends.',
    ],
    [
      'one at a time',
      { bound: 'key-concurrent', limit: 1, used: 1, wait_ms: 1_000 },
      'The key may have 1 request under way at a time, and 1 was at 2026-11-22 10:00:05 UTC. There is room as soon as one \
of them ends.',
    ],
  ])('%s', (_, facts, reported) => {
    expect(sentence(facts)).toBe(reported);
  });
});

test('without figures the explanation is what the client received, with the field', () => {
  const refused = { code: 'unknown_model', message: "There is no model 'x'.", param: 'model', ended_at: at };
  expect(explainRefusal(refused)).toEqual({
    code: 'unknown_model',
    sentence: "There is no model 'x'.",
    advice: { text: 'Copy the name of a model from the list of models.', page: '/models' },
    facts: null,
  });
  expect(explainRefusal({ ...refused, message: 'It is not valid.', param: 'tools[0]' })?.sentence).toBe(
    'It is not valid. The field is tools[0].',
  );
});

test('a request without an error has no explanation', () => {
  expect(explainRefusal({ ended_at: at })).toBeUndefined();
});

test('every refusal of a request for a model has advice', () => {
  const rare = [
    'recent_sign_in_required',
    'idempotency_conflict',
    'batch_creation_in_progress',
    'conversation_locked',
    'batch_not_ended',
    'conflict',
    'limit_reached',
    'endpoint_retired',
    'native_batch_unavailable',
    'upgrade_required',
  ];
  expect(Object.keys(catalogue).filter((code) => !adviceFor(code))).toEqual(rare);
});
