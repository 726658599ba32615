import type { JsonObject } from '../../../base/json/json-body.ts';
import type { JsonPatch } from '../../../base/json/patch-json.ts';
import { numberIn } from '../../../base/json/read-json.ts';
import { keysOf } from '../../../base/lib/records.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import { encodeEnvelope, type ResponseObject, settingDefaults } from './envelope.ts';

/** The members that the gateway sets itself, that every host sends, or that need not be there. */
type OtherMember =
  | 'id'
  | 'object'
  | 'model'
  | 'status'
  | 'store'
  | 'previous_response_id'
  | 'output'
  | 'output_text'
  | 'usage'
  | 'user';

/** The members that every response has. Hosts omit some of them. */
const requiredMembers = keysOf({
  access_programs: true,
  created_at: true,
  completed_at: true,
  background: true,
  error: true,
  incomplete_details: true,
  instructions: true,
  max_output_tokens: true,
  max_tool_calls: true,
  metadata: true,
  parallel_tool_calls: true,
  prompt_cache_key: true,
  reasoning: true,
  safety_identifier: true,
  text: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  truncation: true,
  ...settingDefaults,
} satisfies Record<Exclude<keyof ResponseObject, OtherMember>, unknown>);

/** Returns the members that the host has omitted, as the gateway's own response objects have them. */
export function missingMembers(response: JsonObject, requestBody: JsonObject): JsonPatch | undefined {
  const isCompleted = response.status === 'completed';
  const needsValue = (name: string) => name in settingDefaults || (isCompleted && name === 'completed_at');
  const missing = requiredMembers.filter(
    (name) => response[name] === undefined || (response[name] === null && needsValue(name)),
  );
  if (missing.length === 0) return undefined;
  const createdAt = numberIn(response.created_at) || unixSeconds();
  const head = { responseId: '', model: '', createdAt, body: { value: requestBody } };
  const status = isCompleted ? 'completed' : 'in_progress';
  const whole = encodeEnvelope(head, { status, output: [], outputText: '' });
  return Object.fromEntries(missing.map((name) => [name, JSON.stringify(whole[name])]));
}
