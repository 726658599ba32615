import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import type { AssistantTurn, DialectId, Settings, ToolCall, Turn } from './conversation.ts';
import { emptyDraft } from './draft.ts';
import { MADE_UP } from './read-gemini.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON that is read field by field
type Json = Record<string, any>;

/** A request as the playground shows it, and the members of its body that the playground does not have. */
export type ReadRequest = { content: PromptContent; dropped: readonly string[] };

function texts(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.flatMap((part: Json) => part?.text ?? []).join('\n') : '';
}

const imagesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((part: Json) => {
        if (part?.source?.type === 'base64')
          return [`data:${part.source.media_type};base64,${part.source.data}`];
        const url = part?.image_url?.url ?? part?.image_url;
        return typeof url === 'string' && url.startsWith('data:') ? [url] : [];
      })
    : [];

const assistantTurn = (text: string, calls: readonly ToolCall[]): AssistantTurn => ({
  role: 'assistant',
  text,
  thinking: '',
  calls,
});

function turnsOfMessage({ role, content }: Json): Turn[] {
  const parts: Json[] = Array.isArray(content) ? content : [];
  if (role === 'assistant') {
    const calls = parts
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, input: JSON.stringify(input ?? {}) }));
    return [assistantTurn(texts(content), calls)];
  }
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, content: result }) => ({ id: tool_use_id, name: 'tool', text: texts(result) }));
  if (results.length > 0) return [{ role: 'tool', results }];
  return [{ role: 'user', text: texts(content), images: imagesOf(content) }];
}

function turnsOfChat({ role, content, tool_calls = [], tool_call_id }: Json): Turn[] {
  if (role === 'system' || role === 'developer') return [];
  if (role === 'tool')
    return [{ role: 'tool', results: [{ id: tool_call_id, name: 'tool', text: texts(content) }] }];
  if (role !== 'assistant') return [{ role: 'user', text: texts(content), images: imagesOf(content) }];
  const calls = tool_calls.map((call: Json) => ({
    id: call.id,
    name: call.function?.name ?? '',
    input: call.function?.arguments ?? '{}',
  }));
  return [assistantTurn(texts(content), calls)];
}

function turnsOfItem(item: Json): Turn[] {
  if (item.type === 'function_call')
    return [assistantTurn('', [{ id: item.call_id, name: item.name, input: item.arguments ?? '{}' }])];
  if (item.type === 'function_call_output')
    return [{ role: 'tool', results: [{ id: item.call_id, name: 'tool', text: texts(item.output) }] }];
  if (item.role === 'assistant') return [assistantTurn(texts(item.content), [])];
  if (item.role !== 'user') return [];
  return [{ role: 'user', text: texts(item.content), images: imagesOf(item.content) }];
}

function turnsOfContent({ role, parts: value }: Json): Turn[] {
  const parts: Json[] = Array.isArray(value) ? value : [];
  const spoken = texts(parts.filter(({ thought }) => thought !== true));
  const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (results.length > 0)
    return [
      {
        role: 'tool',
        results: results.map(({ id, name, response }: Json, index) => ({
          id: id ?? `${MADE_UP}${index}`,
          name,
          text: typeof response?.output === 'string' ? response.output : JSON.stringify(response ?? {}),
        })),
      },
    ];
  if (role === 'model') {
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const toolCalls = calls.map(({ id, name, args }: Json, index) => ({
      id: id ?? `${MADE_UP}${index}`,
      name,
      input: JSON.stringify(args ?? {}),
    }));
    return [assistantTurn(spoken, toolCalls)];
  }
  const images = parts.flatMap(({ inlineData }) =>
    inlineData ? [`data:${inlineData.mimeType};base64,${inlineData.data}`] : [],
  );
  return [{ role: 'user', text: spoken, images }];
}

/** Turns that stand together are one: the results of several calls, and the calls of one answer. */
function joined(turns: readonly Turn[]): Turn[] {
  const found: Turn[] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if (last?.role === 'tool' && turn.role === 'tool')
      found[found.length - 1] = { role: 'tool', results: [...last.results, ...turn.results] };
    else if (last?.role === 'assistant' && turn.role === 'assistant')
      found[found.length - 1] = assistantTurn(last.text || turn.text, [...last.calls, ...turn.calls]);
    else found.push(turn);
  }
  return found;
}

type Reader = {
  turns: (body: Json) => Turn[];
  settings: (body: Json) => Partial<Record<keyof Settings, unknown>>;
  /** The members that are read, apart from those that all dialects have. */
  members: readonly string[];
};

const systemOf = (messages: readonly Json[]): string =>
  messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => texts(content))
    .join('\n');

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

const readers: Readonly<Record<DialectId, Reader>> = {
  messages: {
    turns: ({ messages }) => listOf(messages).flatMap(turnsOfMessage),
    settings: ({ system, max_tokens, stop_sequences, output_config }) => ({
      system: texts(system),
      maxTokens: max_tokens,
      stop: listOf(stop_sequences).join('\n'),
      effort: output_config?.effort,
      schema: output_config?.format?.schema,
    }),
    members: ['messages', 'system', 'max_tokens', 'stop_sequences', 'output_config', 'thinking'],
  },
  chat: {
    turns: ({ messages }) => listOf(messages).flatMap(turnsOfChat),
    settings: ({ messages, max_tokens, max_completion_tokens, stop, reasoning_effort, response_format }) => ({
      system: systemOf(listOf(messages)),
      maxTokens: max_completion_tokens ?? max_tokens,
      stop: [stop ?? []].flat().join('\n'),
      effort: reasoning_effort,
      schema: response_format?.json_schema?.schema,
    }),
    // biome-ignore format: a line for each group
    members: [
      'messages', 'max_tokens', 'max_completion_tokens', 'stop',
      'reasoning_effort', 'response_format', 'stream_options',
    ],
  },
  responses: {
    turns: ({ input }) =>
      typeof input === 'string'
        ? [{ role: 'user', text: input, images: [] }]
        : listOf(input).flatMap(turnsOfItem),
    settings: ({ input, instructions, max_output_tokens, reasoning, text, store }) => ({
      system: [instructions ?? '', systemOf(listOf(input))].filter(Boolean).join('\n'),
      maxTokens: max_output_tokens,
      effort: reasoning?.effort,
      schema: text?.format?.schema,
      store: store === true,
    }),
    members: ['input', 'instructions', 'max_output_tokens', 'reasoning', 'text', 'store', 'include'],
  },
  gemini: {
    turns: ({ contents }) => listOf(contents).flatMap(turnsOfContent),
    settings: ({ systemInstruction, generationConfig = {} }) => ({
      system: texts(systemInstruction?.parts),
      maxTokens: generationConfig.maxOutputTokens,
      temperature: generationConfig.temperature,
      stop: listOf(generationConfig.stopSequences).join('\n'),
      effort: generationConfig.thinkingConfig?.thinkingLevel?.toLowerCase(),
      schema: generationConfig.responseJsonSchema,
    }),
    members: ['contents', 'systemInstruction', 'generationConfig', 'maxOutputTokens'],
  },
};

const shared = ['model', 'tools', 'temperature', 'stream'];

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * Reads the body of a request. The last message of the user becomes the draft, so that it can be sent again.
 */
export function readRequest(dialect: DialectId, text: string): ReadRequest {
  const body = JSON.parse(text) as Json;
  const reader = readers[dialect];
  const turns = joined(reader.turns(body));
  const last = turns.at(-1);
  const isDraft = last?.role === 'user' && last.images.length === 0;
  const { store, ...texts } = reader.settings(body);
  const settings = {
    ...emptyDraft.settings,
    maxTokens: '',
    temperature: asText(body.temperature),
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, asText(value)])),
    tools: asText(listOf(body.tools).length > 0 ? body.tools : undefined),
    stream: body.stream === true,
    store: store === true,
  };
  const names = [...shared, ...reader.members];
  return {
    content: {
      model: asText(body.model),
      dialect,
      settings,
      turns: isDraft ? turns.slice(0, -1) : turns,
      text: isDraft ? last.text : '',
    },
    dropped: Object.keys(body).filter((name) => !names.includes(name)),
  };
}
