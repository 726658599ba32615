import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Part, ToolResultContent, ToolResultPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { attachProofs } from '../../encoding/call-proofs.ts';
import { citationOf } from './citation-of.ts';
import { decodeMedia } from './decode-media.ts';
import { readSignature } from './signature-text.ts';

type DecodedStep = { role: 'user' | 'assistant'; parts: Part[] };

/** Decodes the input. Consecutive steps of one role become one turn. */
export function decodeSteps(body: JsonBody): Turn[] {
  const { input } = body.value;
  if (typeof input === 'string')
    return input === '' ? [] : [{ role: 'user', parts: [{ kind: 'text', text: input }] }];
  const texts = elementsOf(memberText(body, 'input'));
  const turns: Turn[] = [];
  for (const [index, step] of listOf(input).entries()) {
    const { role, parts } = decodeStep(objectOf(step), texts[index] ?? '{}');
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  for (const turn of turns)
    if (turn.role === 'assistant') turn.parts = attachProofs('interactions', turn.parts);
  return turns;
}

function decodeStep(step: Fields, text: string): DecodedStep {
  switch (step.type) {
    case 'user_input':
      return { role: 'user', parts: contentsOf(step) };
    case 'model_output':
      return { role: 'assistant', parts: contentsOf(step) };
    case 'thought':
      return { role: 'assistant', parts: thoughtOf(step) };
    case 'function_call':
      return { role: 'assistant', parts: [callOf(step, text)] };
    case 'function_result':
      return { role: 'user', parts: [resultOf(step, text)] };
    default:
      return { role: 'assistant', parts: [{ kind: 'opaque', issuer: 'interactions', block: step }] };
  }
}

const contentsOf = ({ type, content }: Fields): Part[] =>
  listOf(content).flatMap((item) => contentOf(objectOf(item), type));

/** `stepType`: the type of a step that can hold the content alone. */
function contentOf(content: Fields, stepType: unknown): Part[] {
  const text = textOf(content.text);
  if (content.type === 'text') {
    const citations = listOf(content.annotations).map((annotation) => citationOf(objectOf(annotation)));
    return text ? [{ kind: 'text', text, ...(citations.length > 0 && { citations }) }] : [];
  }
  const media = decodeMedia(content);
  if (media) return [media];
  return [{ kind: 'opaque', issuer: 'interactions', block: { type: stepType, content: [content] } }];
}

function thoughtOf({ summary, signature }: Fields): Part[] {
  const text = listOf(summary)
    .map((item) => textOf(objectOf(item).text) ?? '')
    .join('');
  const signed = readSignature(textOf(signature) ?? '');
  if (signed?.isRedacted) return [{ kind: 'redacted-thinking', replay: signed.replay }];
  if (text === '' && signed === undefined) return [];
  return [{ kind: 'thinking', form: 'summary', text, ...(signed && { replay: signed.replay }) }];
}

/** The arguments stay as the client sent them, since parsing would round large numbers. */
function callOf({ id, name }: Fields, text: string): Part {
  const sent = sliceJson(text, ['arguments']);
  return {
    kind: 'tool-call',
    callId: String(id),
    name: String(name),
    input: { kind: 'json', text: sent?.startsWith('{') ? sent : '{}' },
  };
}

function resultOf({ call_id, result, is_error }: Fields, text: string): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: String(call_id),
    content: resultContent(result, text),
    ...(is_error === true && { isError: true }),
  };
}

function resultContent(result: unknown, text: string): ToolResultContent[] {
  if (typeof result === 'string') return result === '' ? [] : [{ kind: 'text', text: result }];
  if (isObject(result)) return [{ kind: 'text', text: sliceJson(text, ['result']) ?? '{}' }];
  return listOf(result).flatMap((item) =>
    contentOf(objectOf(item), 'user_input').filter(
      (part): part is ToolResultContent =>
        part.kind === 'text' || part.kind === 'image' || part.kind === 'document',
    ),
  );
}
