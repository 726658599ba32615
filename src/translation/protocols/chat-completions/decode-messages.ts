import type { Part, TextPart, ToolCallPart, ToolResultPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { readSignature } from './call-signature.ts';
import { decodeContent } from './decode-content.ts';
import { decodeThoughts } from './decode-thoughts.ts';
import type { AssistantMessage, ChatMessage } from './request-schema.ts';

type ResultMessage = Extract<ChatMessage, { role: 'tool' | 'function' }>;

type Conversation = { system: TextPart[]; turns: Turn[] };

/**
 * Decodes messages into turns. System messages before the first turn become the system prompt. Consecutive
 * messages of one role become one turn.
 */
export function decodeMessages(messages: readonly ChatMessage[]): Conversation {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  const calls = callsOf(messages);
  for (const [index, message] of messages.entries()) {
    const { role, parts } = decodeMessage(message, index, calls);
    const last = turns.at(-1);
    if (role === 'system' && last === undefined && parts.every(isText)) system.push(...parts);
    else if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return { system, turns };
}

const isText = (part: Part): part is TextPart => part.kind === 'text';

/** The calls that results refer to: the ids of freeform calls, and the legacy calls with their messages. */
type Calls = { freeform: ReadonlySet<string>; functions: { index: number; name: string }[] };

function callsOf(messages: readonly ChatMessage[]): Calls {
  const freeform = new Set<string>();
  const functions: Calls['functions'] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    if (message.function_call) functions.push({ index, name: message.function_call.name });
    for (const { id, type } of message.tool_calls ?? []) if (type === 'custom') freeform.add(id);
  }
  return { freeform, functions };
}

function decodeMessage(message: ChatMessage, index: number, calls: Calls): Turn {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: decodeContent(message.content) };
    case 'user':
      return { role: 'user', parts: decodeContent(message.content) };
    case 'assistant':
      return { role: 'assistant', parts: decodeAssistant(message, index) };
    case 'tool':
      return { role: 'user', parts: [decodeResult(message, message.tool_call_id, calls)] };
    case 'function': {
      const callId = legacyIdBefore(index, message.name, calls);
      return { role: 'user', parts: [decodeResult(message, callId, calls)] };
    }
  }
}

/** Builds the id of a legacy call from its position, since function calls before tools had no ids. */
const legacyId = (index: number): string => `call_function_${index}`;

function legacyIdBefore(index: number, name: string, { functions }: Calls): string {
  const call = functions.findLast((call) => call.index < index && call.name === name);
  return legacyId(call?.index ?? index);
}

function decodeAssistant(message: AssistantMessage, index: number): Part[] {
  const { content, refusal, tool_calls, function_call } = message;
  const legacy = function_call && { id: legacyId(index), function: function_call };
  return [
    ...decodeThoughts(message),
    ...decodeContent(content),
    ...(refusal ? [{ kind: 'refusal' as const, text: refusal }] : []),
    ...(tool_calls ?? []).map(decodeCall),
    ...(legacy ? [decodeCall(legacy)] : []),
  ];
}

type Call = NonNullable<AssistantMessage['tool_calls']>[number];

function decodeCall(call: Call): ToolCallPart {
  const replay = readSignature(call);
  return { kind: 'tool-call', callId: call.id, ...calleeOf(call), ...(replay && { replay }) };
}

function calleeOf(call: Call): Pick<ToolCallPart, 'name' | 'input'> {
  if (call.type === 'custom')
    return { name: call.custom.name, input: { kind: 'freeform', text: call.custom.input } };
  return { name: call.function.name, input: { kind: 'json', text: call.function.arguments } };
}

function decodeResult(message: ResultMessage, callId: string, { freeform }: Calls): ToolResultPart {
  // The schema allows texts, images and files here. An unknown part becomes its JSON, so that none is lost.
  const content = decodeContent(message.content).map((part) =>
    part.kind === 'opaque' ? { kind: 'text' as const, text: JSON.stringify(part.block) } : part,
  ) as ToolResultPart['content'];
  return { kind: 'tool-result', callId, content, ...(freeform.has(callId) && { isFreeform: true }) };
}
