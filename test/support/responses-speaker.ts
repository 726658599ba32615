import type OpenAI from 'openai';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

const media = {
  image: { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
  pdf: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
};

/** Stores nothing on the server: the whole output is sent back as input. */
export const responsesSpeaker = (client: OpenAI): Speaker => ({
  name: 'responses',
  thoughts: 'proven',
  user: (text, kind) => ({
    role: 'user',
    content: kind ? [media[kind], { type: 'input_text', text }] : text,
  }),
  results: ({ turn }, texts) =>
    turn
      .filter(({ type }: Json) => type === 'function_call')
      .map(({ call_id }: Json, at: number) => ({
        type: 'function_call_output',
        call_id,
        output: texts[at],
      })),
  async ask(ask) {
    const body = bodyOf(ask);
    return readAnswer(
      ask.stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create({ ...body, stream: false }),
    );
  },
});

function bodyOf({ model, messages, tools, force, schema, thinks, maxTokens }: Ask): Json {
  return {
    model,
    input: messages.flat(),
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(maxTokens && { max_output_tokens: maxTokens }),
    ...(tools && {
      tools: tools.map((name) => ({ type: 'function', name, parameters: toolSchema, strict: false })),
    }),
    ...(force && { tool_choice: force === 'any' ? 'required' : { type: 'function', name: force } }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } } }),
    ...(thinks && { reasoning: { effort: 'low', summary: 'auto' } }),
  };
}

function readAnswer({ output, output_text, incomplete_details, usage }: Json): SpokenAnswer {
  const all = (type: string) => output.filter((item: Json) => item.type === type);
  const calls = all('function_call').map((call: Json) => ({
    name: call.name,
    input: JSON.parse(call.arguments),
  }));
  const stops: Record<string, string> = { max_output_tokens: 'length' };
  const ended = calls.length > 0 ? 'tools' : 'end';
  return {
    text: output_text,
    thinking: all('reasoning')
      .flatMap(({ summary }: Json) => summary)
      .map(({ text }: Json) => text)
      .join(''),
    calls,
    stop: incomplete_details ? (stops[incomplete_details.reason] ?? incomplete_details.reason) : ended,
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    turn: output,
  };
}
