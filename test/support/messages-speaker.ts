import type Anthropic from '@anthropic-ai/sdk';
import type { Json } from './call.ts';
import { type Ask, PDF, PNG, type Speaker, type SpokenAnswer, toolSchema } from './speaker.ts';

const source = (media_type: string, data: string) => ({ type: 'base64', media_type, data });
const media = {
  image: { type: 'image', source: source('image/png', PNG) },
  pdf: { type: 'document', source: source('application/pdf', PDF) },
};
const stops: Record<string, string> = { end_turn: 'end', max_tokens: 'length', tool_use: 'tools' };

export const messagesSpeaker = (client: Anthropic): Speaker => ({
  name: 'messages',
  thoughts: 'proven',
  user: (text, kind) => ({
    role: 'user',
    content: kind ? [media[kind], { type: 'text', text }] : text,
  }),
  results: ({ turn }, texts) => {
    const calls = turn.content.filter(({ type }: Json) => type === 'tool_use');
    const content = calls.map(({ id }: Json, at: number) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: texts[at],
    }));
    return [{ role: 'user', content }];
  },
  async ask(ask) {
    const body = bodyOf(ask);
    const message = ask.stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create({ ...body, stream: false });
    return readAnswer(message);
  },
});

function bodyOf({ model, messages, tools, force, schema, thinks, maxTokens = 4_096 }: Ask): Json {
  return {
    model,
    messages,
    max_tokens: maxTokens,
    ...(tools && { tools: tools.map((name) => ({ name, input_schema: toolSchema })) }),
    ...(force && { tool_choice: force === 'any' ? { type: 'any' } : { type: 'tool', name: force } }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(thinks && { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
  };
}

function readAnswer({ content, stop_reason, usage }: Anthropic.Message): SpokenAnswer {
  const blocks: Json[] = content;
  const all = (type: string) => blocks.filter((block) => block.type === type);
  return {
    text: all('text')
      .map(({ text }) => text)
      .join(''),
    thinking: all('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    calls: all('tool_use').map(({ name, input }) => ({ name, input })),
    stop: stops[stop_reason!] ?? String(stop_reason),
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    turn: { role: 'assistant', content },
  };
}
