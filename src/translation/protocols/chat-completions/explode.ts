import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Frame } from '../../contract/codec.ts';

/** Turns a whole completion into a single chunk. */
export function explode(text: string): Frame[] {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new SyntaxError('the answer is not an object');
  if (body.error != null) return [{ data: text }];
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(message)) throw new SyntaxError('the answer has no message');
  const chunk = { ...body, choices: [{ ...choice, index: 0, delta: numberCalls(message) }] };
  return [{ data: JSON.stringify(chunk) }, { data: '[DONE]' }];
}

/** Numbers the calls of a message, as chunks require. */
function numberCalls(message: Fields): Fields {
  const calls = message.tool_calls;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call: object, index) => ({ ...call, index })) };
}
