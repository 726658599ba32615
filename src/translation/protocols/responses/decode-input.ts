import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { OpaquePart, Part, TextPart, ToolCallPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { attachProofs } from '../../encoding/call-proofs.ts';
import { decodeContent, decodeOutput } from './decode-content.ts';
import { unpackContent } from './encrypted-content.ts';
import { reasoningText } from './reasoning-text.ts';

/** An item's parts and their role. Without a role the parts join the current turn. */
type Addition = { role?: Turn['role']; parts: Part[] };

/** The decoders of items that other vendors know too. */
const decoders: Readonly<Record<string, (item: JsonObject) => Addition>> = {
  message: decodeMessage,
  function_call: (item) => ({ role: 'assistant', parts: [decodeCall(item, 'json', item.arguments)] }),
  custom_tool_call: (item) => ({ role: 'assistant', parts: [decodeCall(item, 'freeform', item.input)] }),
  function_call_output: (item) => decodeResult(item, 'json'),
  custom_tool_call_output: (item) => decodeResult(item, 'freeform'),
  reasoning: (item) => ({ role: 'assistant', parts: decodeReasoning(item) }),
};

type DecodedInput = { system: TextPart[]; turns: Turn[] };

/**
 * Decodes items into turns. Consecutive items of one role become one turn. System messages before all others
 * become the system prompt.
 */
export function decodeInput(input: unknown): DecodedInput {
  const decoded: DecodedInput = { system: [], turns: [] };
  if (typeof input === 'string') add(decoded, { role: 'user', parts: [{ kind: 'text', text: input }] });
  for (const item of listOf(input).map(objectOf)) {
    const decode = lookUp(decoders, textOf(item.type) ?? 'message');
    add(decoded, decode ? decode(item) : { parts: [opaque(item)] });
  }
  for (const turn of decoded.turns) turn.parts = attachProofs('responses', turn.parts);
  return decoded;
}

function add({ system, turns }: DecodedInput, { role, parts }: Addition): void {
  if (parts.length === 0) return;
  const last = turns.at(-1);
  if (role === 'system' && last === undefined && parts.every((part) => part.kind === 'text')) {
    system.push(...parts);
  } else if (last && (role === undefined || role === last.role)) last.parts.push(...parts);
  else turns.push({ role: role ?? 'assistant', parts: [...parts] });
}

const opaque = (block: JsonObject): OpaquePart => ({ kind: 'opaque', issuer: 'responses', block });

function decodeMessage({ role, content }: JsonObject): Addition {
  // An unknown element stays a message of its own, which the vendor reads like the others.
  const parts = decodeContent(content, (element) => opaque({ type: 'message', role, content: [element] }));
  return { role: role === 'user' || role === 'assistant' ? role : 'system', parts };
}

function decodeCall(item: JsonObject, kind: 'json' | 'freeform', input: unknown): ToolCallPart {
  const itemId = textOf(item.id);
  const namespace = textOf(item.namespace);
  return {
    kind: 'tool-call',
    callId: String(item.call_id),
    ...(itemId !== undefined && { itemId }),
    name: String(item.name),
    ...(namespace && { namespace }),
    input: { kind, text: String(input) },
  };
}

/** Decodes a result. A result without `call_id` belongs to a call that only the vendor tracks. */
function decodeResult(item: JsonObject, kind: 'json' | 'freeform'): Addition {
  const { call_id, output } = item;
  if (call_id == null) return { parts: [opaque(item)] };
  const result = { kind: 'tool-result' as const, callId: String(call_id), content: decodeOutput(output) };
  return { role: 'user', parts: [{ ...result, ...(kind === 'freeform' && { isFreeform: true }) }] };
}

/** Decodes a reasoning item. An item without text and without a token has no content. */
function decodeReasoning(item: JsonObject): Part[] {
  const { form, text } = reasoningText(item);
  const packed = textOf(item.encrypted_content) ?? '';
  const token = packed === '' ? undefined : unpackContent(packed, textOf(item.id));
  if (token?.isRedacted) return [{ kind: 'redacted-thinking', replay: token.replay }];
  if (token === undefined && text === '') return [];
  return [{ kind: 'thinking', form, text, ...(token && { replay: token.replay }) }];
}
