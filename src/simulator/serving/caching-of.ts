import type { Field } from '../model/field.ts';
import type { Prompt } from '../model/prompt.ts';

type Request = { model: string; wire: string };

/**
 * Models that cache a prompt only if it begins with a message of the developer.
 * `instructions` come before it and are not cached.
 */
const DEVELOPER_FIRST = /^gpt-6\.2/;

/** Returns how the model's own vendor caches a prompt. */
export function cachingOf(body: Field, { model, wire }: Request, { caching }: Prompt): Prompt['caching'] {
  if (wire !== 'openai-responses' || !DEVELOPER_FIRST.test(model)) return caching;
  const input = body.at('input');
  const [first] = input.isList() ? input.items() : [];
  return first?.at('role').value === 'developer' && !body.at('instructions').present ? caching : 'none';
}
