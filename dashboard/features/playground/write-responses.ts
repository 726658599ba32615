import { definedOf } from '../../../src/base/lib/records.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import type { AssistantTurn, Turn } from './conversation.ts';
import type { ToolDefinition } from './read-tools.ts';
import { mapUnlessEmpty, type RequestBody, type RequestWriter, schemaOf } from './request-body.ts';
import type { Settings } from './settings.ts';

/** Writes a request of the responses API. It has no stop sequences. */
export const writeResponses: RequestWriter = (settings, turns, tools) =>
  definedOf({
    model: settings.model,
    instructions: settings.system || undefined,
    input: turns.flatMap(itemsOf),
    tools: mapUnlessEmpty(tools, toolOf),
    max_output_tokens: parseDecimal(settings.maxTokens),
    temperature: parseDecimal(settings.temperature),
    reasoning: settings.effort ? { effort: settings.effort, summary: 'auto' } : undefined,
    include: settings.effort && !settings.store ? ['reasoning.encrypted_content'] : undefined,
    text: formatOf(settings),
    store: settings.store,
    stream: settings.stream || undefined,
  });

const toolOf = ({ name, description, schema }: ToolDefinition): RequestBody => ({
  type: 'function',
  name,
  description,
  parameters: schema,
  strict: false,
});

function formatOf(settings: Settings): RequestBody | undefined {
  const schema = schemaOf(settings);
  return schema && { format: { type: 'json_schema', name: 'answer', schema, strict: false } };
}

function itemsOf(turn: Turn): unknown[] {
  if (turn.role === 'assistant') return assistantItems(turn);
  if (turn.role === 'tool')
    return turn.results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }));
  const images = turn.images.map((url) => ({ type: 'input_image', image_url: url }));
  const text = turn.text ? [{ type: 'input_text', text: turn.text }] : [];
  return [{ role: 'user', content: images.length > 0 ? [...text, ...images] : turn.text }];
}

function assistantItems({ own, text, calls }: AssistantTurn): unknown[] {
  if (own?.dialect === 'responses') return (own.content as OwnItem[]).filter(canReturn);
  return [
    ...(text ? [{ role: 'assistant', content: text }] : []),
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: input || '{}',
    })),
  ];
}

/** An item of an answer, as `readResponses` has kept it. */
type OwnItem = { type: string; encrypted_content?: string };

/**
 * The server keeps no reasoning of a response that it does not store, so only encrypted reasoning can be sent
 * back.
 */
const canReturn = ({ type, encrypted_content }: OwnItem): boolean =>
  type !== 'reasoning' || Boolean(encrypted_content);
