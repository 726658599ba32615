import { expect, test } from 'bun:test';
import { usageOfResponse } from '../responses/usage.ts';
import { findUsage } from './openai-usage.ts';

const chat = (details: object, rest: object = {}) =>
  findUsage({ usage: { prompt_tokens: 50, completion_tokens: 9, ...details }, ...rest })?.detail;
const response = (rest: object, details: object = {}) =>
  usageOfResponse({ usage: { input_tokens: 50, output_tokens: 9, ...details }, ...rest })?.detail;

test('an ordinary answer has no detail', () => {
  const details = { prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 } };
  expect(chat(details, { service_tier: 'default' })).toBeUndefined();
  const tool_usage = { image_gen: { total_tokens: 0 }, web_search: { num_requests: 0 } };
  const output = [{ type: 'message' }, { type: 'function_call' }];
  expect(response({ tool_usage, output, service_tier: 'auto' })).toBeUndefined();
});

test('reads audio tokens, the tier and the lifetimes of cache writes', () => {
  const writes = { '30m_tokens': 5, ttl_12h_tokens: 7, '5m': 0 };
  const prompt_tokens_details = {
    audio_tokens: 30,
    cache_write_tokens: 12,
    cache_write_tokens_details: writes,
  };
  const details = { prompt_tokens_details, completion_tokens_details: { audio_tokens: 8 } };
  expect(chat(details, { service_tier: 'priority' })).toEqual({
    counts: { cache_write_30m: 5, cache_write_12h: 7, audio_input: 30, audio_output: 8 },
    factors: ['priority'],
  });
  expect(response({ service_tier: 'flex' }, { input_tokens_details: { audio_tokens: 3 } })).toEqual({
    counts: { audio_input: 3 },
    factors: ['flex'],
  });
});

test('adds cache writes of one lifetime', () => {
  const cache_write_tokens_details = { '1h_tokens': 5, image_1h_tokens: 7 };
  const prompt_tokens_details = { cache_write_tokens: 12, cache_write_tokens_details };
  expect(chat({ prompt_tokens_details })?.counts).toEqual({ cache_write_1h: 12 });
});

test('a tier that has no price is named as one', () => {
  expect(chat({}, { service_tier: 'lightning' })).toEqual({ others: ['service_tier'] });
  expect(response({ service_tier: 'lightning' })).toEqual({ others: ['service_tier'] });
  for (const service_tier of ['batch', 'scale', 'on_demand', '', null])
    expect({ service_tier, result: chat({}, { service_tier }) }).toEqual({ service_tier, result: undefined });
});

test("counts a response's calls of hosted tools", () => {
  const output = [
    { type: 'web_search_call', action: { type: 'search' } },
    { type: 'web_search_call', action: { type: 'open_page' } },
    { type: 'web_search_call' },
    { type: 'image_generation_call' },
    { type: 'file_search_call' },
  ];
  expect(response({ output })).toEqual({
    counts: { web_search: 2, image_generation: 1 },
    others: ['file_search'],
  });
  expect(response({ output, tool_usage: { web_search: { num_requests: 5 } } })?.counts?.web_search).toBe(5);
});

test('tool usage without an item and of an unknown tool is reported', () => {
  const tool_usage = { image_gen: { total_tokens: 90 }, new_tool: { num_requests: 2 } };
  expect(response({ output: [], tool_usage })).toEqual({
    counts: { image_generation: 1 },
    separate: [{ kind: 'image', isIncluded: false, input: 0, cachedInput: 0, output: 90 }],
    others: ['tool_usage'],
  });
});
