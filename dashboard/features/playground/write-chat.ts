import { definedOf } from '../../../src/base/lib/records.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import type { AssistantTurn, ToolCall, Turn } from './conversation.ts';
import type { ToolDefinition } from './read-tools.ts';
import { mapUnlessEmpty, type RequestBody, type RequestWriter, schemaOf, stopsOf } from './request-body.ts';
import type { Settings } from './settings.ts';

/** Writes a request of the chat completions API. */
export const writeChat: RequestWriter = (settings, turns, tools) =>
  definedOf({
    model: settings.model,
    messages: [
      ...(settings.system ? [{ role: 'system', content: settings.system }] : []),
      ...turns.flatMap(messagesOf),
    ],
    tools: mapUnlessEmpty(tools, toolOf),
    max_tokens: parseDecimal(settings.maxTokens),
    temperature: parseDecimal(settings.temperature),
    stop: stopsOf(settings),
    reasoning_effort: settings.effort || undefined,
    response_format: formatOf(settings),
    stream: settings.stream || undefined,
    stream_options: settings.stream ? { include_usage: true } : undefined,
  });

const toolOf = ({ name, description, schema }: ToolDefinition): RequestBody => ({
  type: 'function',
  function: { name, description, parameters: schema },
});

function formatOf(settings: Settings): RequestBody | undefined {
  const schema = schemaOf(settings);
  return schema && { type: 'json_schema', json_schema: { name: 'answer', schema } };
}

function messagesOf(turn: Turn): RequestBody[] {
  if (turn.role === 'assistant') return [assistantMessage(turn)];
  if (turn.role === 'tool')
    return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  if (turn.images.length === 0) return [{ role: 'user', content: turn.text }];
  const images = turn.images.map((url) => ({ type: 'image_url', image_url: { url } }));
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  return [{ role: 'user', content: [...text, ...images] }];
}

function assistantMessage({ text, calls }: AssistantTurn): RequestBody {
  return {
    role: 'assistant',
    content: text || null,
    ...(calls.length > 0 && { tool_calls: calls.map(toolCallOf) }),
  };
}

const toolCallOf = ({ id, name, input }: ToolCall): RequestBody => ({
  id,
  type: 'function',
  function: { name, arguments: input || '{}' },
});
