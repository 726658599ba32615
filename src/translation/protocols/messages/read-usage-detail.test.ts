import { expect, test } from 'bun:test';
import { inputTotal, laterUsage, outputTotal } from '../../canonical/usage.ts';
import { readUsageDetail } from './read-usage-detail.ts';
import { decodeUsage } from './usage.ts';

const counts = (input_tokens: number, output_tokens: number, rest: object = {}) => ({
  input_tokens,
  output_tokens,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  ...rest,
});

test('an ordinary report has no detail', () => {
  const tools = { web_search_requests: 0, web_fetch_requests: 0 };
  const ordinary = { server_tool_use: tools, service_tier: 'standard', speed: 'standard' };
  expect(readUsageDetail(counts(9, 3))).toBeUndefined();
  expect(readUsageDetail({ ...counts(9, 3), ...ordinary, inference_geo: 'not_available' })).toBeUndefined();
  expect(
    readUsageDetail(counts(9, 3, { iterations: [{ type: 'message', ...counts(9, 3) }] })),
  ).toBeUndefined();
});

test('reads cache lifetimes, tool requests and the way of serving', () => {
  const detail = readUsageDetail(
    counts(9, 3, {
      cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 7 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 4, code_runs: 1 },
      speed: 'fast',
      service_tier: 'priority',
      inference_geo: 'us',
    }),
  );
  expect(detail).toEqual({
    counts: { cache_write_5m: 5, cache_write_1h: 7, web_search: 2 },
    factors: ['fast', 'priority', 'inference_geo'],
    others: ['server_tool_use'],
  });
});

test('a compaction and an advisor are separate from the counts of the message', () => {
  const detail = readUsageDetail(
    counts(9, 3, {
      iterations: [
        { type: 'compaction', ...counts(70, 20, { cache_read_input_tokens: 5 }) },
        { type: 'message', model: 'm', ...counts(9, 3) },
        { type: 'advisor_message', model: 'big', ...counts(40, 10) },
      ],
    }),
  );
  expect(detail!.separate).toEqual([
    { kind: 'compaction', model: undefined, isIncluded: false, input: 70, cachedInput: 5, output: 20 },
    { kind: 'advisor', model: 'big', isIncluded: false, input: 40, cachedInput: 0, output: 10 },
  ]);
});

test("a fallback's tokens are among the message's counts unless those equal the message iterations", () => {
  const fallback = { type: 'fallback_message', model: 'big', ...counts(40, 10) };
  const own = { type: 'message', model: 'm', ...counts(9, 3) };
  const isIncluded = (top: object) =>
    readUsageDetail(top as Record<string, unknown>)!.separate![0]!.isIncluded;
  expect(isIncluded(counts(40, 10, { iterations: [own, fallback] }))).toBe(true);
  expect(isIncluded(counts(49, 13, { iterations: [own, fallback] }))).toBe(true);
  expect(isIncluded(counts(9, 3, { iterations: [own, fallback] }))).toBe(false);
  expect(isIncluded(counts(40, 10, { iterations: [fallback] }))).toBe(true);
});

test('the closing event adds to what the opening event said', () => {
  const opening = decodeUsage(counts(9, 1, { speed: 'fast' }));
  const closing = decodeUsage(
    { output_tokens: 3, iterations: [{ type: 'compaction', ...counts(70, 20) }] },
    opening,
  );
  const usage = laterUsage(opening, closing);
  expect(inputTotal(usage)).toBe(9);
  expect(outputTotal(usage)).toBe(3);
  expect(usage.detail).toMatchObject({ factors: ['fast'], separate: [{ kind: 'compaction', output: 20 }] });
});
