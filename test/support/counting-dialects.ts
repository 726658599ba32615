import type { Json } from './call.ts';
import { dataOf } from './messages-body.ts';

/** Billed tokens. `input` and `output` are the totals. */
export type Tokens = { input: number; cached: number; written: number; output: number; reasoning: number };

export type CountingDialect = {
  name: string;
  path: string;
  /** The wire that takes the request unchanged. */
  wire: string;
  ask(model: string, { stream }: { stream: boolean }): Json;
  /** Reads the usage that the client is shown. */
  shown(text: string, { stream }: { stream: boolean }): Tokens;
};

const ofOpenai = (usage: Json): Tokens => ({
  input: usage.prompt_tokens,
  cached: usage.prompt_tokens_details.cached_tokens,
  written: usage.prompt_tokens_details.cache_write_tokens ?? 0,
  output: usage.completion_tokens,
  reasoning: usage.completion_tokens_details.reasoning_tokens,
});

/** The usage of a later chunk replaces an earlier one. */
const shownByChunks = (text: string, { stream }: { stream: boolean }): Tokens =>
  ofOpenai(stream ? dataOf(text).findLast(({ usage }) => usage)?.usage : JSON.parse(text).usage);

const streamOptions = ({ stream }: { stream: boolean }) =>
  stream ? { stream, stream_options: { include_usage: true } } : {};

/** Merges events like the vendor's client: a count in an event replaces the previous one. */
function shownByEvents(text: string, { stream }: { stream: boolean }): Tokens {
  const usage: Json = stream ? {} : JSON.parse(text).usage;
  for (const event of stream ? dataOf(text) : [])
    for (const [name, count] of Object.entries(event.message?.usage ?? event.usage ?? {}))
      if (count !== null) usage[name] = count;
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    input: usage.input_tokens + cached + written,
    cached,
    written,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}

function shownByResponse(text: string, { stream }: { stream: boolean }): Tokens {
  const { usage } = stream ? dataOf(text).at(-1).response : JSON.parse(text);
  return {
    input: usage.input_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    written: usage.input_tokens_details.cache_write_tokens,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details.reasoning_tokens,
  };
}

const messages = [{ role: 'user', content: 'hello' }];

export const countingDialects: readonly CountingDialect[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    wire: 'openai-chat',
    ask: (model, { stream }) => ({ model, messages, max_tokens: 4_000, ...streamOptions({ stream }) }),
    shown: shownByChunks,
  },
  {
    name: 'completions',
    path: '/v1/completions',
    wire: 'openai-completions',
    ask: (model, { stream }) => ({ model, prompt: 'hello', max_tokens: 4_000, ...streamOptions({ stream }) }),
    shown: shownByChunks,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    wire: 'anthropic-messages',
    ask: (model, { stream }) => ({ model, messages, max_tokens: 4_000, stream }),
    shown: shownByEvents,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    wire: 'openai-responses',
    ask: (model, { stream }) => ({ model, input: 'hello', max_output_tokens: 4_000, stream }),
    shown: shownByResponse,
  },
];

/** Returns the tokens that a ledger entry charges. */
export const billed = (entry: Json): Tokens => ({
  input: entry.input_tokens,
  cached: entry.cached_input_tokens,
  written: entry.receipt.cache_write_input_tokens,
  output: entry.output_tokens,
  reasoning: entry.receipt.reasoning_tokens,
});
