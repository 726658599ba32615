import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

const usageOf = (usage: Json): ObservedAnswer['usage'] =>
  usage && {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens,
  };

/** The choices that name no tool. */
const CHOICES: Readonly<Record<string, string>> = { any: 'required', none: 'none' };

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
  const pdf = `data:application/pdf;base64,${ask.document}`;
  const content = [
    { type: 'text', text },
    ...(ask.image ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${ask.image}` } }] : []),
    ...(ask.document ? [{ type: 'file', file: { filename: 'a.pdf', file_data: pdf } }] : []),
  ];
  const named = choice && { type: 'function', function: { name: choice } };
  return {
    model,
    messages: [...(ask.system ? [{ role: 'system', content: ask.system }] : []), { role: 'user', content }],
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...(maxTokens && { max_completion_tokens: maxTokens }),
    ...(stops && { stop: stops }),
    ...(tools && {
      tools: tools.map(({ name, schema: parameters }) => ({
        type: 'function',
        function: { name, parameters },
      })),
    }),
    ...(choice && { tool_choice: CHOICES[choice] ?? named }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
    ...(ask.reasoning && { reasoning_effort: 'low' }),
  };
}

function observe(answer: Json): ObservedAnswer {
  const [{ message, finish_reason }] = answer.choices;
  return {
    text: message.content ?? '',
    thinking: message.reasoning_content ?? '',
    signature: '',
    calls: (message.tool_calls ?? []).map((call: Json) => ({
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    })),
    stop: finish_reason,
    usage: usageOf(answer.usage),
  };
}

function observeStream(frames: ParsedFrame[]): ObservedAnswer {
  const chunks: Json[] = frames.map((frame) => frame.body).filter((chunk) => chunk !== '[DONE]');
  const deltas: Json[] = chunks.map(({ choices }) => choices[0]?.delta ?? {});
  const calls: Json[] = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const argumentsOf = (index: number) =>
    calls.map((call) => (call.index === index ? call.function.arguments : '')).join('');
  return {
    text: deltas.map(({ content }) => content ?? '').join(''),
    thinking: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    signature: '',
    calls: calls
      .filter(({ id }) => id)
      .map((call) => ({ name: call.function.name, input: JSON.parse(argumentsOf(call.index)) })),
    stop: chunks.map(({ choices }) => choices[0]?.finish_reason).find(Boolean),
    usage: usageOf(chunks.findLast(({ usage }) => usage)?.usage),
  };
}

export const CHAT_CLIENT: TestClient = {
  wire: 'openai-chat',
  path: () => '/v1/chat/completions',
  body,
  observe,
  observeStream,
  ending: (frames) => frames.at(-1)?.body,
  stops: { end: 'stop', length: 'length', 'stop-sequence': 'stop', 'tool-calls': 'tool_calls' },
  badBody: { model: 'm', messages: [] },
  errorMessage: (answer) => answer.error.message,
};
