import type { AssistantTurn, Body, Settings, ToolDefinition, Turn } from './conversation.ts';
import { numberOf, present, schemaOf } from './request-parts.ts';

/** Writes a request of the responses API. It has no stop sequences. */
export const writeResponses = (
  settings: Settings,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
): Body =>
  present({
    model: settings.model,
    instructions: settings.system || undefined,
    input: turns.flatMap(itemsOf),
    tools:
      tools.length > 0
        ? tools.map(({ name, description, schema }) => ({
            type: 'function',
            name,
            description,
            parameters: schema,
            strict: false,
          }))
        : undefined,
    max_output_tokens: numberOf(settings.maxTokens),
    temperature: numberOf(settings.temperature),
    reasoning: settings.effort ? { effort: settings.effort, summary: 'auto' } : undefined,
    include: settings.effort && !settings.store ? ['reasoning.encrypted_content'] : undefined,
    text: formatOf(settings),
    store: settings.store,
    stream: settings.stream || undefined,
  });

function formatOf(settings: Settings): Body | undefined {
  const schema = schemaOf(settings);
  return schema && { format: { type: 'json_schema', name: 'answer', schema, strict: false } };
}

function itemsOf(turn: Turn): unknown[] {
  if (turn.role === 'assistant') return saidIn(turn);
  if (turn.role === 'tool')
    return turn.results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }));
  const images = turn.images.map((url) => ({ type: 'input_image', image_url: url }));
  const text = turn.text ? [{ type: 'input_text', text: turn.text }] : [];
  return [{ role: 'user', content: images.length > 0 ? [...text, ...images] : turn.text }];
}

function saidIn({ own, text, calls }: AssistantTurn): unknown[] {
  if (own?.dialect === 'responses') return (own.content as Item[]).filter(canReturn);
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

type Item = { type: string; encrypted_content?: string };

/**
 * The server keeps no reasoning of a response that it does not store, so only
 * encrypted reasoning can be sent back.
 */
const canReturn = ({ type, encrypted_content }: Item): boolean => type !== 'reasoning' || !!encrypted_content;
