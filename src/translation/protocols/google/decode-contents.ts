import type { JsonBody } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Part, TextPart, ToolResultContent, ToolResultPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { attachProofs } from '../../encoding/call-proofs.ts';
import { CallIds } from './call-ids.ts';
import { decodeMedia } from './decode-media.ts';
import { readSignature } from './signature-text.ts';

/** Decodes the instructions. Only texts are instructions. */
export const decodeSystem = ({ systemInstruction }: Fields): TextPart[] =>
  listOf(objectOf(systemInstruction).parts)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', text }));

/** Decodes turns. Consecutive turns of one role become one, and empty turns are dropped. */
export function decodeContents(body: JsonBody): Turn[] {
  const decoder = new ContentsDecoder(body);
  const turns: Turn[] = [];
  for (const [index, content] of listOf(body.value['contents']).entries()) {
    const { role, parts: partList } = objectOf(content);
    const turnRole = role === 'model' ? 'assistant' : 'user';
    const decoded = listOf(partList).flatMap((part, at) =>
      decoder.decode(objectOf(part), [index, 'parts', at]),
    );
    const parts = turnRole === 'assistant' ? attachProofs('google', joinThoughts(decoded)) : decoded;
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === turnRole) last.parts.push(...parts);
    else turns.push({ role: turnRole, parts });
  }
  return turns;
}

/** Joins the pieces of a streamed thought. Its signature came with the last of them. */
function joinThoughts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === 'thinking' && last.replay === undefined && part.kind === 'thinking')
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

type Place = readonly [content: number, 'parts', part: number];

class ContentsDecoder {
  readonly #body: JsonBody;
  readonly #ids = new CallIds();
  #contents: string[] | undefined;

  constructor(body: JsonBody) {
    this.#body = body;
  }

  decode(part: Fields, place: Place): Part[] {
    const { text, functionCall, functionResponse } = part;
    if (isObject(functionCall)) return [this.#call(functionCall, part, place)];
    if (isObject(functionResponse)) return [this.#result(functionResponse, place)];
    const media = decodeMedia(part);
    if (media) return [media];
    if (part['thought'] === true) return thoughtOf(part);
    if (typeof text === 'string') return textOfPart(text, part);
    if (typeof part['thoughtSignature'] === 'string' && Object.keys(part).length === 1)
      return textOfPart('', part);
    return Object.keys(part).length === 0 ? [] : [{ kind: 'opaque', issuer: 'google', block: part }];
  }

  #call(call: Fields, part: Fields, place: Place): Part {
    const name = call['name'] as string;
    const signed = readSignature(textOf(part['thoughtSignature']) ?? '', 'call');
    return {
      kind: 'tool-call',
      callId: this.#ids.ofCall(name, textOf(call['id'])),
      name,
      input: { kind: 'json', text: this.#textAt(place, ['functionCall', 'args']) },
      ...(signed && { replay: signed.replay }),
    };
  }

  #result(result: Fields, place: Place): ToolResultPart {
    const { name, id, response, parts } = result;
    const { text, isError } = this.#resultText(objectOf(response), place);
    const media = listOf(parts).flatMap((part) => decodeMedia(objectOf(part)) ?? []);
    const content: ToolResultContent[] = [
      ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
      ...media.filter((part) => part.kind !== 'audio'),
    ];
    return {
      kind: 'tool-result',
      callId: this.#ids.ofResult(name as string, textOf(id)),
      content,
      ...(isError && { isError: true }),
    };
  }

  /**
   * Returns the text of a result. A single text under one of the vendor's names is that text. Any other
   * result is its JSON.
   */
  #resultText(response: Fields, place: Place): { text: string; isError: boolean } {
    const [only, ...others] = Object.keys(response);
    const isError = only === 'error' && others.length === 0;
    const value = only === undefined ? '' : response[only];
    const isPlain =
      others.length === 0 && typeof value === 'string' && (only === undefined || PLAIN.has(only));
    return {
      text: isPlain ? (value as string) : this.#textAt(place, ['functionResponse', 'response']),
      isError,
    };
  }

  /** Returns an object as the client sent it, since parsing would round large numbers. */
  #textAt([content, , part]: Place, path: readonly string[]): string {
    this.#contents ??= contentsText(this.#body);
    const sent = sliceJson(this.#contents[content] ?? '{}', ['parts', part, ...path]);
    return sent?.startsWith('{') ? sent : '{}';
  }
}

/** The names under which the vendor's clients send the text of a result. */
const PLAIN: ReadonlySet<string> = new Set(['output', 'result', 'error']);

function contentsText({ text, members }: JsonBody): string[] {
  const place = members.get('contents');
  return place ? elementsOf(text.slice(place.start, place.end)) : [];
}

function thoughtOf({ text, thoughtSignature }: Fields): Part[] {
  const thoughtText = textOf(text) ?? '';
  const signed = readSignature(textOf(thoughtSignature) ?? '', 'thought');
  if (signed?.isRedacted) return [{ kind: 'redacted-thinking', replay: signed.replay }];
  if (thoughtText === '' && signed === undefined) return [];
  return [{ kind: 'thinking', form: 'summary', text: thoughtText, ...(signed && { replay: signed.replay }) }];
}

/** Text has no field for a token, so its token goes into an empty thought after it. */
function textOfPart(text: string, { thoughtSignature }: Fields): Part[] {
  const signed = readSignature(textOf(thoughtSignature) ?? '', 'text');
  return [
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
    ...(signed
      ? [{ kind: 'thinking' as const, form: 'summary' as const, text: '', replay: signed.replay }]
      : []),
  ];
}
