import type { AssistantTurn, Body, Settings, ToolDefinition, Turn } from './conversation.ts';
import { jsonOr, numberOf, partsOfDataUrl, present, schemaOf, stopsOf } from './request-parts.ts';

/** The API requires a limit, so there is one even if the field is empty. */
const USUAL_LIMIT = 4_096;

/** Writes a request of the messages API. */
export const writeMessages = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
): Body =>
  present({
    model: settings.model,
    max_tokens: numberOf(settings.maxTokens) ?? USUAL_LIMIT,
    system: settings.system || undefined,
    messages: turns.map(messageOf),
    tools:
      tools.length > 0
        ? tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema }))
        : undefined,
    temperature: numberOf(settings.temperature),
    stop_sequences: stopsOf(settings),
    thinking: settings.effort ? { type: 'adaptive' } : undefined,
    output_config: outputOf(settings),
    stream: settings.stream || undefined,
  });

function outputOf(settings: Settings): Body | undefined {
  const schema = schemaOf(settings);
  if (!settings.effort && !schema) return undefined;
  return present({
    effort: settings.effort || undefined,
    format: schema && { type: 'json_schema', schema },
  });
}

function messageOf(turn: Turn): Body {
  if (turn.role === 'assistant') return { role: 'assistant', content: saidIn(turn) };
  if (turn.role === 'tool')
    return {
      role: 'user',
      content: turn.results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    };
  if (turn.images.length === 0) return { role: 'user', content: turn.text };
  const images = turn.images.map((url) => {
    const { type, data } = partsOfDataUrl(url);
    return { type: 'image', source: { type: 'base64', media_type: type, data } };
  });
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  return { role: 'user', content: [...images, ...text] };
}

function saidIn({ own, text, calls }: AssistantTurn): unknown {
  if (own?.dialect === 'messages') return own.content;
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: jsonOr(input) })),
  ];
}
