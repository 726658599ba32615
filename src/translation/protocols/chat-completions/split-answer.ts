import { listOf, objectOf, parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Frame } from '../../contract/frame.ts';

/** Turns a whole completion into a single chunk. */
export function splitAnswer(text: string): Frame[] {
  const body = parseObject(text);
  if (body.error != null) return [{ data: text }];
  const choice = objectOf(listOf(body.choices)[0]);
  const { message } = choice;
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
