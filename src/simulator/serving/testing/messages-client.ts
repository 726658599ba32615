import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

const DEFAULT_TOKENS = 4_000;

function body({
  text,
  model,
  stream,
  maxTokens,
  stops,
  tools,
  choice,
  schema,
  ...ask
}: SimulatorRequest): object {
  const source = (media_type: string, data: string) => ({ source: { type: 'base64', media_type, data } });
  const content = [
    { type: 'text', text },
    ...(ask.image ? [{ type: 'image', ...source('image/png', ask.image) }] : []),
    ...(ask.document ? [{ type: 'document', ...source('application/pdf', ask.document) }] : []),
  ];
  const system = [{ type: 'text', text: ask.system, cache_control: { type: 'ephemeral' } }];
  const plainChoice = choice === 'any' || choice === 'none';
  return {
    model,
    max_tokens: maxTokens ?? DEFAULT_TOKENS,
    messages: [{ role: 'user', content }],
    ...(ask.system && { system }),
    ...(stream && { stream }),
    ...(stops && { stop_sequences: stops }),
    ...(tools && { tools: tools.map(({ name, schema: input_schema }) => ({ name, input_schema })) }),
    ...(choice && { tool_choice: plainChoice ? { type: choice } : { type: 'tool', name: choice } }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(ask.reasoning && { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
  };
}

function observe({ content, stop_reason, usage }: Json): ObservedAnswer {
  const blocks = (type: string): Json[] => content.filter((block: Json) => block.type === type);
  const joined = (type: string, field: string) =>
    blocks(type)
      .map((block) => block[field])
      .join('');
  return {
    text: joined('text', 'text'),
    thinking: joined('thinking', 'thinking'),
    signature: joined('thinking', 'signature'),
    calls: blocks('tool_use').map(({ name, input }) => ({ name, input })),
    stop: stop_reason,
    usage: usage && {
      input: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
      cached: usage.cache_read_input_tokens,
      output: usage.output_tokens,
    },
  };
}

function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const content: Json[] = [];
  for (const { name, body: event } of frames) {
    const block = content[event.index];
    if (name === 'content_block_start') content[event.index] = { ...event.content_block, json: '' };
    if (name === 'content_block_delta') applyDelta(block, event.delta);
    if (name === 'content_block_stop' && block.type === 'tool_use')
      block.input = JSON.parse(block.json || '{}');
  }
  const { delta, usage } = frames.find(({ name }) => name === 'message_delta')!.body;
  return observe({ content, ...delta, usage });
}

function applyDelta(block: Json, delta: Json): void {
  block.text += delta.text ?? '';
  block.thinking += delta.thinking ?? '';
  block.signature += delta.signature ?? '';
  block.json += delta.partial_json ?? '';
}

export const MESSAGES_CLIENT: TestClient = {
  wire: 'anthropic-messages',
  path: () => '/v1/messages',
  body,
  observe,
  observeStream,
  ending: (frames) => frames.at(-1)?.name,
  stops: {
    end: 'end_turn',
    length: 'max_tokens',
    'stop-sequence': 'stop_sequence',
    'tool-calls': 'tool_use',
  },
  badBody: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  errorMessage: (answer) => answer.error.message,
};
