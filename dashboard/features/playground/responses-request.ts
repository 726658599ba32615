import type { Turn } from './conversation.ts';
import { type Json, listOf, systemOf, textOf } from './request-json.ts';
import { assistantTurn, type RequestReader, resultTurn, userTurn } from './request-reader.ts';

/** Reads requests of the responses API. */
export const responsesRequest: RequestReader = {
  turns: ({ input }) => (typeof input === 'string' ? [userTurn(input)] : listOf(input).flatMap(turnsOfItem)),
  settings: ({ input, instructions, max_output_tokens, reasoning, text, store }) => ({
    system: [instructions ?? '', systemOf(listOf(input))].filter(Boolean).join('\n'),
    maxTokens: max_output_tokens,
    effort: reasoning?.effort,
    schema: text?.format?.schema,
    store: store === true,
  }),
  members: ['input', 'instructions', 'max_output_tokens', 'reasoning', 'text', 'store', 'include'],
};

function turnsOfItem({ type, role, content, call_id, name, arguments: input, output }: Json): Turn[] {
  if (type === 'function_call') return [assistantTurn('', [{ id: call_id, name, input: input ?? '{}' }])];
  if (type === 'function_call_output') return [resultTurn(call_id, output)];
  if (role === 'assistant') return [assistantTurn(textOf(content), [])];
  return role === 'user' ? [userTurn(content)] : [];
}
