import type { AssistantTurn, Body, Settings, ToolDefinition, Turn } from './conversation.ts';
import { numberOf, present, schemaOf, stopsOf } from './request-parts.ts';

/** Writes a request of the chat completions API. */
export const writeChat = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
): Body =>
  present({
    model: settings.model,
    messages: [
      ...(settings.system ? [{ role: 'system', content: settings.system }] : []),
      ...turns.flatMap(messagesOf),
    ],
    tools:
      tools.length > 0
        ? tools.map(({ name, description, schema }) => ({
            type: 'function',
            function: { name, description, parameters: schema },
          }))
        : undefined,
    max_tokens: numberOf(settings.maxTokens),
    temperature: numberOf(settings.temperature),
    stop: stopsOf(settings),
    reasoning_effort: settings.effort || undefined,
    response_format: formatOf(settings),
    stream: settings.stream || undefined,
    stream_options: settings.stream ? { include_usage: true } : undefined,
  });

function formatOf(settings: Settings): Body | undefined {
  const schema = schemaOf(settings);
  return schema && { type: 'json_schema', json_schema: { name: 'answer', schema } };
}

function messagesOf(turn: Turn): Body[] {
  if (turn.role === 'assistant') return [saidIn(turn)];
  if (turn.role === 'tool')
    return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
  const images = turn.images.map((url) => ({ type: 'image_url', image_url: { url } }));
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  return [{ role: 'user', content: [...text, ...images] }];
}

function saidIn({ own, text, calls }: AssistantTurn): Body {
  if (own?.dialect === 'chat') return own.content as Body;
  return {
    role: 'assistant',
    content: text || null,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input || '{}' },
      })),
    }),
  };
}
