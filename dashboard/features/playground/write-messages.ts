import { definedOf } from '../../../src/base/lib/records.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import type { AssistantTurn, Turn } from './conversation.ts';
import { partsOfDataUrl } from './data-url.ts';
import type { ToolDefinition } from './read-tools.ts';
import {
  jsonOrText,
  mapUnlessEmpty,
  type RequestBody,
  type RequestWriter,
  schemaOf,
  stopsOf,
} from './request-body.ts';
import type { Settings } from './settings.ts';

/** The API requires a limit, so there is one even if the field is empty. */
const DEFAULT_MAX_TOKENS = 4_096;

/** Writes a request of the messages API. */
export const writeMessages: RequestWriter = (settings, turns, tools) =>
  definedOf({
    model: settings.model,
    max_tokens: parseDecimal(settings.maxTokens) ?? DEFAULT_MAX_TOKENS,
    system: settings.system || undefined,
    messages: turns.map(messageOf),
    tools: mapUnlessEmpty(tools, toolOf),
    temperature: parseDecimal(settings.temperature),
    stop_sequences: stopsOf(settings),
    thinking: settings.effort ? { type: 'adaptive' } : undefined,
    output_config: outputOf(settings),
    stream: settings.stream || undefined,
  });

const toolOf = ({ name, description, schema }: ToolDefinition): RequestBody => ({
  name,
  description,
  input_schema: schema,
});

function outputOf(settings: Settings): RequestBody | undefined {
  const schema = schemaOf(settings);
  if (!settings.effort && !schema) return undefined;
  return definedOf({
    effort: settings.effort || undefined,
    format: schema && { type: 'json_schema', schema },
  });
}

function messageOf(turn: Turn): RequestBody {
  if (turn.role === 'assistant') return { role: 'assistant', content: assistantContent(turn) };
  if (turn.role === 'tool')
    return {
      role: 'user',
      content: turn.results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    };
  if (turn.images.length === 0) return { role: 'user', content: turn.text };
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  return { role: 'user', content: [...turn.images.map(imageBlock), ...text] };
}

function imageBlock(url: string): RequestBody {
  const { mediaType, base64 } = partsOfDataUrl(url);
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
}

function assistantContent({ own, text, calls }: AssistantTurn): unknown {
  if (own?.dialect === 'messages') return own.content;
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: jsonOrText(input) })),
  ];
}
