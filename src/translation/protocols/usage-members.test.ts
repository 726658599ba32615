import { describe, expect, test } from 'bun:test';
import type { Usage } from '../canonical/usage.ts';
import { usageOf } from './google/reported-counts.ts';
import { addCounts } from './google/usage.ts';
import { decodeUsage as decodeMessages } from './messages/usage.ts';
import { billedTools } from './openai/hosted-calls.ts';
import { findUsage } from './openai/openai-usage.ts';
import { usageOfResponse } from './responses/usage.ts';
import { clientTypes } from './testing/client-types.ts';
import { PublishedTypes } from './testing/published-types.ts';

// Every member of the official clients' usage types has a row here.
// A member without one may be usage that is not billed.

type Json = Record<string, unknown>;

/** `billed`: the member decides what is billed. Otherwise the reason why it does not. */
type Row = 'billed' | 'included in another count' | 'described by another member' | 'free';

type Family = {
  types: readonly (readonly [file: string, type: string])[];
  rows: Readonly<Record<string, Row>>;
  /** A report with all billed members. */
  base: Json;
  read(usage: Json): Usage | undefined;
};

const messages = '@anthropic-ai/sdk/resources/messages/messages.d.ts';
const betaMessages = '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts';
const responses = 'openai/resources/responses/responses.d.ts';
const betaResponses = 'openai/resources/beta/responses/responses.d.ts';

const counts = {
  input_tokens: 100,
  output_tokens: 50,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 20,
};
const lifetimes = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };

const iteration = (kind: string, row: Row, model: Row | undefined): Record<string, Row> => ({
  ...Object.fromEntries(Object.keys(counts).map((name) => [`iterations[${kind}].${name}`, row])),
  // Cache writes of these tokens cost the price of input, whatever their lifetime.
  [`iterations[${kind}].cache_creation.ephemeral_5m_input_tokens`]: 'included in another count',
  [`iterations[${kind}].cache_creation.ephemeral_1h_input_tokens`]: 'included in another count',
  [`iterations[${kind}].type`]: 'described by another member',
  ...(model && { [`iterations[${kind}].model`]: model }),
});

const element = (type: string, model?: string) => ({ type, ...counts, ...(model && { model }) });

const openaiRows: Record<string, Row> = {
  input_tokens: 'billed',
  'input_tokens_details.cached_tokens': 'billed',
  'input_tokens_details.cache_write_tokens': 'billed',
  'input_tokens_details.cache_write_tokens_details': 'billed',
  output_tokens: 'billed',
  'output_tokens_details.reasoning_tokens': 'billed',
  total_tokens: 'included in another count',
};

const families: Record<string, Family> = {
  messages: {
    types: [
      [messages, 'Usage'],
      [messages, 'MessageDeltaUsage'],
      [betaMessages, 'BetaUsage'],
      [betaMessages, 'BetaMessageDeltaUsage'],
    ],
    rows: {
      ...Object.fromEntries(Object.keys(counts).map((name) => [name, 'billed'])),
      'cache_creation.ephemeral_5m_input_tokens': 'billed',
      'cache_creation.ephemeral_1h_input_tokens': 'billed',
      'output_tokens_details.thinking_tokens': 'billed',
      'server_tool_use.web_search_requests': 'billed',
      'server_tool_use.web_fetch_requests': 'free',
      service_tier: 'billed',
      speed: 'billed',
      inference_geo: 'billed',
      // The vendor applies the credit to its own invoice, and its members name no amount.
      'fallback_credit.status[redeemed].type': 'free',
      'fallback_credit.status[not_applied].type': 'free',
      'fallback_credit.status[not_applied].reason': 'free',
      'fallback_credit.status[not_applied].remove_to_redeem': 'free',
      ...iteration('message', 'included in another count', 'included in another count'),
      ...iteration('compaction', 'billed', undefined),
      ...iteration('advisor_message', 'billed', 'billed'),
      ...iteration('fallback_message', 'billed', 'billed'),
    },
    base: {
      ...counts,
      cache_creation: lifetimes,
      output_tokens_details: { thinking_tokens: 5 },
      server_tool_use: { web_search_requests: 1 },
      service_tier: 'priority',
      speed: 'fast',
      inference_geo: 'us',
      iterations: [element('compaction'), element('advisor_message', 'a'), element('fallback_message', 'b')],
    },
    read: (usage) => decodeMessages(usage),
  },
  chat: {
    types: [
      ['openai/resources/completions.d.ts', 'CompletionUsage'],
      ['openai/resources/embeddings.d.ts', 'CreateEmbeddingResponse.Usage'],
    ],
    rows: {
      prompt_tokens: 'billed',
      completion_tokens: 'billed',
      total_tokens: 'included in another count',
      'prompt_tokens_details.cached_tokens': 'billed',
      'prompt_tokens_details.cache_write_tokens': 'billed',
      'prompt_tokens_details.audio_tokens': 'billed',
      'prompt_tokens_details.text_tokens': 'included in another count',
      'prompt_tokens_details.image_tokens': 'included in another count',
      'completion_tokens_details.audio_tokens': 'billed',
      'completion_tokens_details.text_tokens': 'included in another count',
      'completion_tokens_details.reasoning_tokens': 'billed',
      'completion_tokens_details.accepted_prediction_tokens': 'included in another count',
      'completion_tokens_details.rejected_prediction_tokens': 'included in another count',
    },
    base: {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 10, audio_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 10 },
    },
    read: (usage) => findUsage({ usage }),
  },
  responses: {
    types: [
      [responses, 'ResponseUsage'],
      [betaResponses, 'BetaResponseUsage'],
    ],
    rows: openaiRows,
    base: {
      input_tokens: 100,
      output_tokens: 50,
      total_tokens: 150,
      input_tokens_details: {
        cached_tokens: 10,
        cache_write_tokens: 10,
        cache_write_tokens_details: { ttl_30m_tokens: 4, ttl_12h_tokens: 6 },
      },
      output_tokens_details: { reasoning_tokens: 10 },
    },
    read: (usage) => usageOfResponse({ usage }),
  },
};

const leaves = ({ types }: Family): string[] => [
  ...new Set(types.flatMap(([file, type]) => new PublishedTypes(file).leavesOf(type))),
];

/** Changes the leaf at a path. A step like `iterations[compaction]` is the element of that type. */
function changed(base: Json, path: string): Json {
  const copy = structuredClone(base);
  const steps = path.split('.');
  const last = steps.pop()!;
  const holder = steps.reduce<Json>((at, step) => {
    const [, name, kind] = /^(\w+)\[(\w+)\]$/.exec(step) ?? [];
    if (kind === undefined) return at[step] as Json;
    return (at[name!] as Json[]).find(({ type }) => type === kind)!;
  }, copy);
  const value = holder[last];
  const word = last === 'inference_geo' ? 'global' : 'standard';
  if (typeof value === 'object') for (const name of Object.keys(value!)) (value as Json)[name] = 1;
  else holder[last] = typeof value === 'number' ? value + 7 : word;
  return copy;
}

describe.each(Object.entries(families))('usage in the types of the official clients: %s', (_, family) => {
  test('every type is found', () => {
    for (const [file, type] of family.types)
      expect([type, new PublishedTypes(file).namesIn(type).length]).not.toEqual([type, 0]);
  });

  test('members and rows correspond', () => {
    expect(leaves(family).sort()).toEqual(Object.keys(family.rows).sort());
  });

  test('every billed member changes what is billed', () => {
    const billed = Object.keys(family.rows).filter((path) => family.rows[path] === 'billed');
    const usage = family.read(family.base);
    const idle = billed.filter((path) => Bun.deepEquals(family.read(changed(family.base, path)), usage));
    expect(idle).toEqual([]);
  });
});

test('the lifetimes of cache writes have the names of the official client', () => {
  const types = new PublishedTypes(responses);
  const names = types.namesIn('CacheWriteTokensDetails');
  expect(names.sort()).toEqual(['ttl_12h_tokens', 'ttl_30m_tokens']);
  for (const name of names) {
    const input_tokens_details = { cache_write_tokens: 5, cache_write_tokens_details: { [name]: 5 } };
    const usage = usageOfResponse({ usage: { input_tokens: 9, output_tokens: 1, input_tokens_details } });
    expect(usage?.detail?.counts).toEqual({
      [name === 'ttl_12h_tokens' ? 'cache_write_12h' : 'cache_write_30m']: 5,
    });
  }
});

test('the calls of hosted tools have the names of the official client', () => {
  const types = new PublishedTypes(responses);
  expect(types.namesIn('ToolUsage').sort()).toEqual([...billedTools].sort());
  expect(types.namesIn('ToolUsage.WebSearch')).toContain('num_requests');
  expect(types.namesIn('ToolUsage.ImageGen')).toContain('total_tokens');
});

/** The members of answers, beside their usage, that say how or at what price the vendor served them. */
const beside: readonly (readonly [file: string, type: string, known: readonly string[]])[] = [
  [messages, 'Message', ['usage']],
  [betaMessages, 'BetaMessage', ['usage']],
  ['openai/resources/chat/completions/completions.d.ts', 'ChatCompletion', ['service_tier', 'usage']],
  ['openai/resources/chat/completions/completions.d.ts', 'ChatCompletionChunk', ['service_tier', 'usage']],
  [responses, 'Response', ['service_tier', 'tool_usage', 'usage']],
  [betaResponses, 'BetaResponse', ['service_tier', 'tool_usage', 'usage']],
];

test.each(beside)('%s: no other member of %s is about usage', (file, type, known) => {
  const names = new PublishedTypes(file).namesIn(type);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => /usage|tier|billing|cost|price|speed|geo/.test(name)).sort()).toEqual([
    ...known,
  ]);
});

describe("usage on Google's wire", () => {
  const rows: Record<string, Row> = {
    promptTokenCount: 'billed',
    promptTokensDetails: 'billed', // for its sound
    cachedContentTokenCount: 'billed',
    candidatesTokenCount: 'billed',
    candidatesTokensDetails: 'billed', // for its sound
    thoughtsTokenCount: 'billed',
    toolUsePromptTokenCount: 'billed',
    toolUsePromptTokensDetails: 'included in another count',
    cacheTokensDetails: 'included in another count',
    totalTokenCount: 'included in another count',
    initialPromptTokenCount: 'included in another count',
    // The gateway asks for no tier of this vendor.
    trafficType: 'free',
  };
  const sound = (tokenCount: number) => [{ modality: 'AUDIO', tokenCount }];
  const base = {
    promptTokenCount: 100,
    cachedContentTokenCount: 10,
    candidatesTokenCount: 50,
    thoughtsTokenCount: 5,
    toolUsePromptTokenCount: 3,
    promptTokensDetails: sound(4),
    candidatesTokensDetails: sound(4),
  };
  const read = (usage: Json) => usageOf(addCounts({}, usage));

  test('members and rows correspond', () => {
    const [usage] = clientTypes.google.from(['GenerateContentResponseUsageMetadata']);
    expect(usage!.members.toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  test('every billed member changes what is billed', () => {
    const usage = read(base);
    for (const [name, row] of Object.entries(rows)) {
      if (row !== 'billed') continue;
      const changed = name.endsWith('Details') ? sound(40) : Number((base as Json)[name]) + 7;
      expect({ name, result: Bun.deepEquals(read({ ...base, [name]: changed }), usage) }).toEqual({
        name,
        result: false,
      });
    }
  });
});
