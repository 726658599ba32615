import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import type { DialectCodec } from '../contract/dialect-codec.ts';
import type { EncodeTarget } from '../contract/encode-target.ts';
import type { WireCodec } from '../contract/wire-codec.ts';
import { bedrockWire } from './bedrock/bedrock-wire.ts';
import { createChatDialectCodec } from './chat-completions/create-chat-dialect-codec.ts';
import { createChatWireCodec } from './chat-completions/create-chat-wire-codec.ts';
import { createCompletionsDialectCodec } from './completions/create-completions-dialect-codec.ts';
import { googleWire } from './google/google-wire.ts';
import { interactionsWire } from './interactions/interactions-wire.ts';
import { createMessagesWireCodec } from './messages/create-messages-wire-codec.ts';
import { createMessagesDialectCodec } from './messages/messages-dialect-codec.ts';
import { createResponsesDialectCodec } from './responses/responses-dialect-codec.ts';
import { responsesWire } from './responses/responses-wire.ts';

const able = { reasoning: true, reasoningEfforts: ['low', 'high'] };

/** The wires, in the order of the columns below. */
const wires: readonly (readonly [codec: WireCodec, target: EncodeTarget])[] = [
  [createChatWireCodec(), { upstreamModel: 'gpt-5', ...able }],
  [createChatWireCodec(), { upstreamModel: 'llama-3', ...able }],
  [responsesWire, { upstreamModel: 'gpt-5', ...able }],
  [createMessagesWireCodec(), { upstreamModel: 'claude-sonnet-4-5', ...able }],
  [googleWire, { upstreamModel: 'gemini-2.5-pro', ...able }],
  [bedrockWire, { upstreamModel: 'anthropic.claude-sonnet-4-5', ...able }],
  [interactionsWire, { upstreamModel: 'gemini-3.6-flash', ...able }],
];

type Fields = Record<string, unknown>;

function encodings(dialect: DialectCodec, fields: Fields): ReturnType<WireCodec['encodeRequest']>[] {
  const body = acceptedOrError(parseBodyAtOnce(JSON.stringify(fields)));
  const request = acceptedOrError(dialect.decodeRequest(body));
  return wires.map(([codec, target]) => codec.encodeRequest(request, target));
}

/**
 * Returns the outcome of a parameter on each wire: `kept`, the codes of its losses, the refused field, or `-`
 * for no effect.
 */
function outcomes(dialect: DialectCodec, base: Fields, fields: Fields): string {
  const without = encodings(dialect, base);
  const words = encodings(dialect, { ...base, ...fields }).map((encoded, at) => {
    const plain = acceptedOrError(without[at]!);
    if (encoded instanceof Refusal) return `${encoded.status}:${encoded.param}`;
    const isKept = encoded.body !== plain.body;
    const lost = encoded.losses
      .map(({ code }) => code)
      .filter((code) => !plain.losses.some((loss) => loss.code === code));
    return [...(isKept ? ['kept'] : []), ...lost].join('+') || '-';
  });
  return words.join(' ');
}

/** Returns the fields of an interface in a client's published types. */
function fieldsOf(file: string, type: string): string[] {
  const text = readFileSync(new URL(`../../../node_modules/${file}`, import.meta.url), 'utf8');
  const body = text.slice(text.indexOf(`export interface ${type} {`)).split(/\n}\n/, 1)[0]!;
  return [...body.matchAll(/^ {4}([a-z_]+)\??:/gm)].map(([, name]) => name!);
}

/** A parameter and its expected outcome on each wire. */
type Row = readonly [fields: Fields, expected: string];

const everywhere = (outcome: string): string => wires.map(() => outcome).join(' ');
/** Returns the outcome if only providers of OpenAI's protocols support the parameter. */
const openai = (other: string): string => `kept kept${` ${other}`.repeat(5)}`;
/** Returns the outcome if only providers of the messages protocol support the parameter. */
const anthropic = (other: string): string => `${`${other} `.repeat(3)}kept${` ${other}`.repeat(3)}`;

const schema = { type: 'object', properties: {}, additionalProperties: false };
const named = { name: 'f', parameters: { type: 'object' } };
const tools = [{ type: 'function', function: named }];
const tool = { name: 'f', input_schema: { type: 'object' } };
const LONG = 'long'.repeat(100);
const ONE_CALL = `kept kept kept kept${' kept+parallel-tool-calls'.repeat(3)}`;
const USER = 'kept user-hint kept kept user-hint user-hint user-hint';

const chatRows: readonly Row[] = [
  [{ audio: { voice: 'a' } }, openai('opaque-block')],
  [{ frequency_penalty: 0.5 }, 'kept kept penalty penalty kept penalty penalty'],
  [{ functions: [named] }, ONE_CALL],
  [{ function_call: { name: 'f' }, functions: [named] }, ONE_CALL],
  [{ logit_bias: { '1': 1 } }, openai('logit-bias')],
  [{ logit_bias: {} }, openai('-')],
  [{ logprobs: true }, everywhere('422:logprobs')],
  [{ logprobs: false }, everywhere('-')],
  [{ logprobs: true, top_logprobs: 2 }, everywhere('422:logprobs')],
  [{ max_completion_tokens: 9 }, everywhere('kept')],
  [{ max_tokens: 9 }, everywhere('kept')],
  [{ metadata: { a: 'b' } }, openai('metadata')],
  [{ modalities: ['text', 'audio'] }, everywhere('422:modalities')],
  [{ modalities: ['text'] }, openai('-')],
  [{ moderation: { a: 1 } }, openai('moderation')],
  [{ n: 2 }, everywhere('422:n')],
  [{ n: 1 }, everywhere('-')],
  [{ parallel_tool_calls: false, tools }, ONE_CALL],
  [{ prediction: { content: 'x' } }, openai('prediction')],
  [{ presence_penalty: 1 }, 'kept kept penalty penalty kept penalty penalty'],
  [{ prompt_cache_key: 'k' }, 'kept - kept kept - kept -'],
  [{ prompt_cache_options: { a: 1 } }, openai('cache-retention')],
  [{ prompt_cache_retention: '24h' }, `kept cache-retention kept${' cache-retention'.repeat(4)}`],
  [{ reasoning_effort: 'low' }, everywhere('kept')],
  [{ reasoning_effort: 'xhigh' }, everywhere('422:reasoning_effort')],
  [
    { response_format: { type: 'json_object' } },
    'kept kept kept kept+output-format kept kept+output-format kept',
  ],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema } } },
    everywhere('kept'),
  ],
  [{ safety_identifier: 's' }, USER],
  [{ safety_identifier: LONG }, USER],
  [{ seed: 1 }, 'kept kept seed seed kept seed kept'],
  [{ service_tier: 'flex' }, `kept service-tier kept${' service-tier'.repeat(3)} kept`],
  [{ service_tier: 'priority' }, `kept service-tier kept${' service-tier'.repeat(3)} kept`],
  [{ service_tier: 'auto' }, 'kept - kept kept - - -'],
  [{ service_tier: 'fast' }, `kept service-tier kept${' service-tier'.repeat(4)}`],
  [{ service_tier: 'ultrafast' }, `service-tier service-tier kept${' service-tier'.repeat(4)}`],
  // On wires that do not keep it, the gateway ends the answer itself.
  [{ stop: ['x'] }, '- kept - kept kept kept kept'],
  [{ store: true }, openai('store')],
  [{ store: false }, openai('-')],
  // On the wires of Gemini and Bedrock the path selects streaming.
  [{ stream: true }, 'kept kept kept kept - - kept'],
  // Affects only the gateway's own answer.
  [{ stream_options: { include_usage: true } }, everywhere('-')],
  [{ temperature: 0.5 }, everywhere('kept')],
  [{ temperature: 1.5 }, 'kept kept kept kept+sampling kept kept+sampling kept'],
  [{ tool_choice: 'required', tools }, everywhere('kept')],
  [{ tool_choice: { type: 'function', function: { name: 'f' } }, tools }, everywhere('kept')],
  [{ tools }, everywhere('kept')],
  [{ top_p: 0.5 }, everywhere('kept')],
  [{ user: 'u' }, USER],
  [{ verbosity: 'low' }, `kept verbosity kept${' verbosity'.repeat(4)}`],
  [{ verbosity: 'medium' }, 'kept - kept - - - -'],
  [{ web_search_options: {} }, openai('422:web_search_options')],
];

const messagesRows: readonly Row[] = [
  [{ cache_control: { type: 'ephemeral' } }, anthropic('cache-breakpoint')],
  [{ compaction: { type: 'x' } }, anthropic('context-management')],
  [{ container: 'c' }, anthropic('422:container')],
  [{ container: null }, everywhere('-')],
  [{ context_management: { edits: [] } }, anthropic('context-management')],
  [{ diagnostics: { previous_message_id: null } }, anthropic('-')],
  [{ fallbacks: [{ model: 'x' }] }, anthropic('opaque-block')],
  [{ inference_geo: 'us' }, anthropic('422:inference_geo')],
  [{ inference_geo: 'global' }, anthropic('-')],
  [{ max_tokens: 9 }, everywhere('kept')],
  [{ mcp_servers: [{ type: 'url', url: 'https://a', name: 'a' }] }, anthropic('422:mcp_servers')],
  [{ mcp_servers: [] }, anthropic('-')],
  [{ metadata: { user_id: 'u' } }, USER],
  [{ metadata: { user_id: LONG } }, USER],
  [{ output_config: { effort: 'low' } }, everywhere('kept')],
  [{ output_config: { format: { type: 'json_schema', schema } } }, everywhere('kept')],
  [
    { output_config: { effort: 'max' } },
    `${'kept+effort-lowered '.repeat(5)}kept+effort-lowered+thinking-budget kept+effort-lowered`,
  ],
  [{ output_format: { type: 'json_schema', schema } }, everywhere('kept')],
  [{ service_tier: 'standard_only' }, anthropic('-')],
  [{ speed: 'fast' }, anthropic('speed')],
  [{ speed: 'standard' }, anthropic('-')],
  [{ stop_sequences: ['x'] }, '- kept - kept kept kept kept'],
  [{ stream: true }, 'kept kept kept kept - - kept'],
  [{ system: 's' }, everywhere('kept')],
  [{ temperature: 0.5 }, everywhere('kept')],
  [
    { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    `${'kept+thinking-budget '.repeat(3)}kept kept kept kept+thinking-budget`,
  ],
  [{ tool_choice: { type: 'any' }, tools: [tool] }, everywhere('kept')],
  [{ tool_choice: { type: 'tool', name: 'f' }, tools: [tool] }, everywhere('kept')],
  [{ tools: [tool] }, everywhere('kept')],
  [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, anthropic('opaque-tool')],
  [{ top_k: 5 }, 'top-k top-k top-k kept kept kept top-k'],
  [{ top_p: 0.5 }, everywhere('kept')],
  [{ user_profile_id: 'u' }, anthropic('user-hint')],
];

const responseTool = { type: 'function', name: 'f', parameters: { type: 'object' } };
/** Returns the outcome if only providers of the responses protocol support the parameter. */
const ofResponses = (other: string): string => `${`${other} `.repeat(2)}kept${` ${other}`.repeat(4)}`;

const responsesRows: readonly Row[] = [
  [{ background: false }, everywhere('-')],
  [{ background_options: { completion_window: '8h' } }, everywhere('-')],
  [{ context_management: [{ type: 'compaction' }] }, ofResponses('context-management')],
  [{ image: { context_compression: 'auto' } }, everywhere('-')],
  [{ include: ['reasoning.encrypted_content'] }, everywhere('-')],
  [{ include: ['message.output_text.logprobs'] }, everywhere('422:logprobs')],
  [{ instructions: 's' }, everywhere('kept')],
  [{ max_output_tokens: 99 }, everywhere('kept')],
  [{ max_tool_calls: 2 }, ofResponses('max-tool-calls')],
  [{ metadata: { a: 'b' } }, everywhere('-')],
  [{ moderation: { a: 1 } }, ofResponses('moderation')],
  [{ parallel_tool_calls: false, tools: [responseTool] }, ONE_CALL],
  [{ prompt_cache_key: 'k' }, 'kept - kept kept - kept -'],
  [{ prompt_cache_options: { mode: 'explicit' } }, ofResponses('cache-retention')],
  [{ prompt_cache_options: { prewarm: true } }, ofResponses('422:prompt_cache_options')],
  [{ prompt_cache_retention: '24h' }, `kept cache-retention kept${' cache-retention'.repeat(4)}`],
  [{ reasoning: { effort: 'low' } }, everywhere('kept')],
  [{ safety_identifier: 's' }, USER],
  [{ service_tier: 'fast' }, `kept service-tier kept${' service-tier'.repeat(4)}`],
  [{ service_tier: 'ultrafast' }, `service-tier service-tier kept${' service-tier'.repeat(4)}`],
  // The gateway stores answers itself.
  [{ store: true }, everywhere('-')],
  [{ stream: true }, 'kept kept kept kept - - kept'],
  // Affects only the gateway's own answer.
  [{ stream_options: { include_obfuscation: false } }, everywhere('-')],
  [{ temperature: 0.5 }, everywhere('kept')],
  [{ text: { verbosity: 'low' } }, `kept verbosity kept${' verbosity'.repeat(4)}`],
  [{ tool_choice: 'required', tools: [responseTool] }, everywhere('kept')],
  [{ tools: [responseTool] }, everywhere('kept')],
  [{ top_logprobs: 2 }, everywhere('422:logprobs')],
  [{ top_p: 0.5 }, everywhere('kept')],
  [{ truncation: 'auto' }, ofResponses('truncation')],
  [{ user: 'u' }, USER],
];

const completionsRows: readonly Row[] = [
  [{ best_of: 1 }, everywhere('-')],
  [{ echo: false }, everywhere('-')],
  [{ frequency_penalty: 0.5 }, 'kept kept penalty penalty kept penalty penalty'],
  [{ logit_bias: { '1': 1 } }, everywhere('logit-bias')],
  [{ n: 1 }, everywhere('-')],
  [{ presence_penalty: 1 }, 'kept kept penalty penalty kept penalty penalty'],
  [{ seed: 1 }, 'kept kept seed seed kept seed kept'],
  [{ stop: ['x'] }, '- kept - kept kept kept kept'],
  [{ stream: true }, 'kept kept kept kept - - kept'],
  [{ stream_options: { include_usage: true } }, everywhere('-')],
  [{ temperature: 0.5 }, everywhere('kept')],
  [{ top_p: 0.5 }, everywhere('kept')],
  [{ user: 'u' }, USER],
];

/**
 * Parameters without a row: those that every request has, those that name an account, the body form of a
 * header, and one that is refused by name.
 */
const aside = [
  'model',
  'messages',
  'workspace_id',
  'billing_policy',
  'fallback_credit_token',
  'betas',
  'thread',
];
/**
 * The values of responses: that need consent or a price, and those that the gateway resolves before a
 * translation.
 */
const asideOfResponses = [
  'model',
  'input',
  'access_programs',
  'multi_agent',
  'conversation',
  'prompt',
  'previous_response_id',
  'betas',
];

type Tried = {
  name: string;
  codec: DialectCodec;
  rows: readonly Row[];
  base: Fields;
  aside: readonly string[];
  files: string[];
};

const turn = [{ role: 'user', content: 'hi' }];
const MESSAGES = 'messages/messages.d.ts';
const dialects: readonly Tried[] = [
  {
    name: 'ChatCompletionCreateParamsBase',
    codec: createChatDialectCodec(),
    rows: chatRows,
    base: { messages: turn, max_tokens: 2_000 },
    aside,
    files: ['openai/resources/chat/completions/completions.d.ts'],
  },
  {
    name: 'MessageCreateParamsBase',
    codec: createMessagesDialectCodec(),
    rows: messagesRows,
    base: { messages: turn, max_tokens: 4_000 },
    aside,
    files: ['', 'beta/'].map((place) => `@anthropic-ai/sdk/resources/${place}${MESSAGES}`),
  },
  {
    name: 'ResponseCreateParamsBase',
    codec: createResponsesDialectCodec(),
    rows: responsesRows,
    base: { input: 'hi', max_output_tokens: 2_000 },
    aside: asideOfResponses,
    files: ['', 'beta/'].map((place) => `openai/resources/${place}responses/responses.d.ts`),
  },
  {
    name: 'CompletionCreateParamsBase',
    codec: createCompletionsDialectCodec(),
    rows: completionsRows,
    base: { prompt: 'hi', max_tokens: 2_000 },
    // The last two are refused before the request is split.
    aside: ['model', 'prompt', 'max_tokens', 'logprobs', 'suffix'],
    files: ['openai/resources/completions.d.ts'],
  },
];

for (const { name, codec, rows, base, aside: known, files } of dialects) {
  describe(name, () => {
    test('tests every parameter in the types of the official client', () => {
      const tried = new Set([...rows.flatMap(([fields]) => Object.keys(fields)), ...known]);
      for (const file of files) {
        const all = fieldsOf(file, name);
        expect(all.length).toBeGreaterThan(15);
        expect(all.filter((field) => !tried.has(field))).toEqual([]);
      }
    });

    for (const [fields, expected] of rows) {
      test(`keeps, drops or refuses ${JSON.stringify(fields).slice(0, 100)} on each wire`, () => {
        expect(outcomes(codec, { model: 'm', ...base }, fields)).toBe(expected);
      });
    }
  });
}

test('replaces equal hints that are too long by equal hashes', () => {
  const codec = createMessagesDialectCodec();
  const sent = (user_id: string) =>
    encodings(codec, { model: 'm', messages: turn, max_tokens: 9, metadata: { user_id } }).map((encoded) =>
      JSON.parse((encoded as { body: string }).body),
    );
  const [chat, , responses, messages] = sent(LONG);
  const key = chat.prompt_cache_key;
  expect(key).toHaveLength(43);
  expect({ safety_identifier: chat.safety_identifier, prompt_cache_key: responses.prompt_cache_key }).toEqual(
    { safety_identifier: key, prompt_cache_key: key },
  );
  expect({ safety_identifier: responses.safety_identifier, user_id: messages.metadata.user_id }).toEqual({
    safety_identifier: key,
    user_id: key,
  });
  expect(sent(LONG)[0].prompt_cache_key).toBe(key);
  expect(sent(`${LONG}er`)[0].prompt_cache_key).not.toBe(key);
  expect(sent('u'.repeat(64))[0].prompt_cache_key).toBe('u'.repeat(64));
});
