import type OpenAI from 'openai';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

const media = {
  image: { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  pdf: { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
};
const stops: Record<string, string> = { stop: 'end', length: 'length', tool_calls: 'tools' };

export const chatSpeaker = (client: OpenAI): Speaker => ({
  name: 'chat completions',
  thoughts: 'proven',
  user: (text, kind) => ({
    role: 'user',
    content: kind ? [media[kind], { type: 'text', text }] : text,
  }),
  results: ({ turn }, texts) =>
    turn.tool_calls.map(({ id }: Json, at: number) => ({
      role: 'tool',
      tool_call_id: id,
      content: texts[at],
    })),
  async ask(ask) {
    const body = bodyOf(ask);
    if (!ask.stream) return readAnswer(await client.chat.completions.create({ ...body, stream: false }));
    const request = { ...body, stream: true, stream_options: { include_usage: true } };
    return readAnswer(await joinChunks(await client.chat.completions.create(request)));
  },
});

const functionOf = (name: string) => ({ name, parameters: toolSchema });

function bodyOf({ model, messages, tools, force, schema, thinks, maxTokens }: Ask): Json {
  return {
    model,
    messages,
    ...(maxTokens && { max_tokens: maxTokens }),
    ...(tools && { tools: tools.map((name) => ({ type: 'function', function: functionOf(name) })) }),
    ...(force && {
      tool_choice: force === 'any' ? 'required' : { type: 'function', function: { name: force } },
    }),
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
    ...(thinks && { reasoning_effort: 'low' }),
  };
}

/** Merges the chunks into one completion: texts and lists are joinChunks. */
export async function joinChunks(stream: Json): Promise<Json> {
  const message: Json = { role: 'assistant', content: null };
  let finish_reason = null;
  let usage = null;
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    finish_reason = choice?.finish_reason ?? finish_reason;
    grow(message, choice?.delta ?? {});
  }
  // Some hosts do not begin with call 0.
  if (message.tool_calls) message.tool_calls = message.tool_calls.filter(Boolean);
  return { choices: [{ message, finish_reason }], usage };
}

function grow(message: Json, { role: _, tool_calls = [], reasoning_details = [], ...texts }: Json): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === 'string') message[name] = (message[name] ?? '') + text;
  }
  if (reasoning_details.length > 0) {
    message.reasoning_details = [...(message.reasoning_details ?? []), ...reasoning_details];
  }
  for (const { index, ...call } of tool_calls) {
    message.tool_calls ??= [];
    message.tool_calls[index] = grownCall(message.tool_calls[index] ?? {}, call);
  }
}

function grownCall(known: Json, { function: called, custom, ...call }: Json): Json {
  const { function: before = { arguments: '' }, custom: written = { input: '' } } = known;
  return {
    ...known,
    ...call,
    ...(called && {
      function: { ...before, ...called, arguments: before.arguments + (called.arguments ?? '') },
    }),
    ...(custom && { custom: { ...written, ...custom, input: written.input + (custom.input ?? '') } }),
  };
}

function readAnswer({ choices, usage }: Json): SpokenAnswer {
  const [{ message, finish_reason }] = choices;
  return {
    text: message.content ?? '',
    thinking: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map(({ function: called }: Json) => ({
      name: called.name,
      input: JSON.parse(called.arguments),
    })),
    stop: stops[finish_reason] ?? finish_reason,
    usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
    turn: message,
  };
}
