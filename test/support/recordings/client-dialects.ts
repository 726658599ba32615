import type { Json } from '../call.ts';
import { joinChunks } from '../chat-speaker.ts';
import type { ChatWire } from '../wire-models.ts';
import type { AnswerContent, ContentCall, ReadContent } from './answer-content.ts';
import { readChatContent } from './read-chat-content.ts';
import { readInteractionsContent } from './read-interactions-content.ts';
import { joinMessage, readMessagesContent } from './read-messages-content.ts';
import { readResponsesContent } from './read-responses-content.ts';

export type Question = { model: string; stream: boolean; thinks: boolean; calls: readonly ContentCall[] };

/** A dialect as used by a client without a library. */
export type ClientDialect = {
  name: string;
  path: string;
  /** The wire of the same protocol. */
  wire: ChatWire;
  ask(question: Question): Json;
  /** Makes the next request, with the whole answer as a turn and a result for each call. */
  goOn(body: Json, answer: Json): Json;
  /** Joins a stream's events into the answer that they add up to. */
  join(objects: readonly Json[]): Json | Promise<Json>;
  read: ReadContent;
  /** True if the dialect has no field for a refusal. */
  refusesInText?: boolean;
  /** True if the proofs of thinking are sent even if it is not shown. */
  alwaysSigns?: boolean;
};

const schema = { type: 'object', additionalProperties: true };
const uniqueTools = (calls: readonly ContentCall[]): ContentCall[] => [
  ...new Map(calls.map((call) => [call.name, call])).values(),
];
const some = (name: string, list: readonly unknown[]) => (list.length > 0 ? { [name]: list } : {});

const chat: ClientDialect = {
  name: 'chat completions',
  path: '/v1/chat/completions',
  wire: 'openai-chat',
  ask: ({ model, stream, thinks, calls }) => ({
    model,
    stream,
    messages: [{ role: 'user', content: 'hello' }],
    ...(stream && { stream_options: { include_usage: true } }),
    ...(thinks && { reasoning_effort: 'low' }),
    ...some(
      'tools',
      uniqueTools(calls).map(({ name, isFreeform }) =>
        isFreeform
          ? { type: 'custom', custom: { name } }
          : { type: 'function', function: { name, parameters: schema } },
      ),
    ),
  }),
  goOn(body, { choices: [{ message }] }) {
    const results = (message.tool_calls ?? []).map(({ id }: Json) => ({
      role: 'tool',
      tool_call_id: id,
      content: 'done',
    }));
    return { ...body, messages: [...body.messages, message, ...results, { role: 'user', content: 'and?' }] };
  },
  join: joinChunks,
  read: readChatContent,
};

const messages: ClientDialect = {
  name: 'messages',
  path: '/v1/messages',
  wire: 'anthropic-messages',
  ask: ({ model, stream, thinks, calls }) => ({
    model,
    stream,
    max_tokens: 32_000,
    messages: [{ role: 'user', content: 'hello' }],
    ...(thinks && { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
    ...some(
      'tools',
      uniqueTools(calls).map(({ name }) => ({ name, input_schema: schema })),
    ),
  }),
  goOn(body, { content }) {
    const results = content
      .filter(({ type }: Json) => type === 'tool_use')
      .map(({ id }: Json) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }));
    const next = { role: 'user', content: [...results, { type: 'text', text: 'and?' }] };
    return { ...body, messages: [...body.messages, { role: 'assistant', content }, next] };
  },
  join: joinMessage,
  read: readMessagesContent,
  refusesInText: true,
};

const responses: ClientDialect = {
  name: 'responses',
  path: '/v1/responses',
  wire: 'openai-responses',
  ask: ({ model, stream, thinks, calls }) => ({
    model,
    stream,
    store: false,
    input: [{ role: 'user', content: 'hello' }],
    ...(thinks && {
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
    ...some(
      'tools',
      uniqueTools(calls).map(({ name, isFreeform }) =>
        isFreeform ? { type: 'custom', name } : { type: 'function', name, parameters: schema, strict: false },
      ),
    ),
  }),
  goOn(body, { output }) {
    const results = output
      .filter(({ type }: Json) => RESULTS[type])
      .map(({ type, call_id }: Json) => ({ type: RESULTS[type], call_id, output: 'done' }));
    return { ...body, input: [...body.input, ...output, ...results, { role: 'user', content: 'and?' }] };
  },
  join: (events) => ({
    output: events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item),
  }),
  read: readResponsesContent,
};

const RESULTS: Record<string, string> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};

const interactions: ClientDialect = {
  name: 'interactions',
  path: '/v1beta/interactions',
  wire: 'google-interactions',
  ask: ({ model, stream, thinks, calls }) => ({
    model,
    stream,
    store: false,
    input: [{ type: 'user_input', content: [{ type: 'text', text: 'hello' }] }],
    ...(thinks && { generation_config: { thinking_level: 'low', thinking_summaries: 'auto' } }),
    ...some(
      'tools',
      uniqueTools(calls).map(({ name }) => ({ type: 'function', name, parameters: schema })),
    ),
  }),
  goOn(body, { steps }) {
    const results = steps
      .filter(({ type }: Json) => type === 'function_call')
      .map(({ id, name }: Json) => ({ type: 'function_result', call_id: id, name, result: 'done' }));
    const next = { type: 'user_input', content: [{ type: 'text', text: 'and?' }] };
    return { ...body, input: [...body.input, ...steps, ...results, next] };
  },
  join: (events) => events.find(({ event_type }) => event_type === 'interaction.completed').interaction,
  read: readInteractionsContent,
  refusesInText: true,
  alwaysSigns: true,
};

export const clientDialects: readonly ClientDialect[] = [chat, messages, responses, interactions];

/** Returns the part of an answer that the dialect can express. */
export const distinguishable = (
  { text, refusal }: AnswerContent,
  { refusesInText }: ClientDialect,
): Pick<AnswerContent, 'text' | 'refusal'> =>
  refusesInText ? { text: text + refusal, refusal: '' } : { text, refusal };
