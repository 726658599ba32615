import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Part, TextPart, ToolResultContent, ToolResultPart } from '../../canonical/part.ts';
import type { SignatureToken } from '../../encoding/signature-token.ts';
import { CallIds } from './call-ids.ts';
import { decodeMedia } from './decode-media.ts';
import { isMovable, readSignature } from './signature-text.ts';

/** The place of a part in the contents of a request. */
type Place = { contentIndex: number; partIndex: number };

/** The names under which the vendor's clients send the text of a result. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['output', 'result', 'error', 'response']);

/** Decodes the parts of one request. Calls without ids are matched to their results by order. */
export class PartDecoder {
  readonly #body: JsonBody;
  readonly #ids = new CallIds();
  /** The texts of the contents. They are cut from the body at the first call or result. */
  #contentTexts: string[] | undefined;
  /** The texts of the parts of the latest content with a call or a result. Each content is cut once. */
  #partTexts: { contentIndex: number; texts: string[] } | undefined;

  constructor(body: JsonBody) {
    this.#body = body;
  }

  /** Decodes a part. A text with a token becomes two parts. A part of an unknown kind stays as it is. */
  decode(part: Fields, place: Place): Part[] {
    const { text, functionCall, functionResponse } = part;
    if (isObject(functionCall)) return this.#call(functionCall, part, place);
    if (isObject(functionResponse)) return [this.#result(functionResponse, place)];
    const media = decodeMedia(part);
    if (media) return [media];
    if (part['thought'] === true) return decodeThought(part);
    if (typeof text === 'string') return decodeText(text, part);
    if (typeof part['thoughtSignature'] === 'string' && Object.keys(part).length === 1)
      return decodeText('', part);
    return Object.keys(part).length === 0 ? [] : [{ kind: 'opaque', issuer: 'google', block: part }];
  }

  /** Decodes a call. The thought whose signature it carries becomes a part before it. */
  #call(call: Fields, part: Fields, place: Place): Part[] {
    const name = call['name'] as string; // as the schema says
    const signed = readSignature(textOf(part['thoughtSignature']) ?? '', 'call');
    const isOfThought = signed !== undefined && isMovable(signed);
    const decoded: Part = {
      kind: 'tool-call',
      callId: this.#ids.ofCall(name, textOf(call['id'])),
      name,
      input: { kind: 'json', text: this.#sentObject(place, ['functionCall', 'args']) },
      ...(signed && !isOfThought && { replay: signed.replay }),
    };
    return isOfThought ? [signedThought(signed), decoded] : [decoded];
  }

  #result(result: Fields, place: Place): ToolResultPart {
    const { name, id, response, parts } = result;
    // Gemini CLI repeats results when it resumes a session.
    const isRepeated = this.#ids.isAnswered(textOf(id) ?? '');
    const text = this.#resultText(objectOf(response), place);
    const media = listOf(parts).flatMap((part) => decodeMedia(objectOf(part)) ?? []);
    const content: ToolResultContent[] = [
      ...textParts(text),
      ...media.filter((part) => part.kind !== 'audio'),
    ];
    return {
      kind: 'tool-result',
      callId: this.#ids.ofResult(name as string, textOf(id)),
      content,
      ...(onlyNameIn(objectOf(response)) === 'error' && { isError: true }),
      ...(isRepeated && { isRepeated }),
    };
  }

  /**
   * Returns the text of a result: a single text under one of the vendor's names, '' for an empty result, or
   * the JSON of any other result.
   */
  #resultText(response: Fields, place: Place): string {
    if (Object.keys(response).length === 0) return '';
    const name = onlyNameIn(response) ?? '';
    const value = response[name];
    return TEXT_NAMES.has(name) && typeof value === 'string'
      ? value
      : this.#sentObject(place, ['functionResponse', 'response']);
  }

  /** Returns an object as the client sent it, since parsing would round large numbers. */
  #sentObject(place: Place, path: readonly string[]): string {
    const sent = sliceJson(this.#partText(place), path);
    return sent?.startsWith('{') ? sent : '{}';
  }

  #partText({ contentIndex, partIndex }: Place): string {
    if (this.#partTexts?.contentIndex !== contentIndex) {
      this.#contentTexts ??= elementsOf(memberText(this.#body, 'contents'));
      const parts = sliceJson(this.#contentTexts[contentIndex] ?? '{}', ['parts']) ?? '';
      this.#partTexts = { contentIndex, texts: elementsOf(parts) };
    }
    return this.#partTexts.texts[partIndex] ?? '{}';
  }
}

/** Returns the name of the only member. Returns undefined for several members, and without any. */
function onlyNameIn(response: Fields): string | undefined {
  const [name, ...others] = Object.keys(response);
  return others.length === 0 ? name : undefined;
}

function decodeThought({ text, thoughtSignature }: Fields): Part[] {
  const thoughtText = textOf(text) ?? '';
  const signed = readSignature(textOf(thoughtSignature) ?? '', 'thought');
  if (signed?.isRedacted) return [{ kind: 'redacted-thinking', replay: signed.replay }];
  if (thoughtText === '' && signed === undefined) return [];
  return [{ kind: 'thinking', form: 'summary', text: thoughtText, ...(signed && { replay: signed.replay }) }];
}

/** Returns the thought whose signature came on another part. Its text is in a part of its own, if at all. */
const signedThought = ({ replay, isRedacted }: SignatureToken): Part =>
  isRedacted
    ? { kind: 'redacted-thinking', replay }
    : { kind: 'thinking', form: 'summary', text: '', replay };

/**
 * Decodes a text. Text has no field for a token. Its own token goes into an empty thought after it, and the
 * token of the thought before it goes there.
 */
function decodeText(text: string, { thoughtSignature }: Fields): Part[] {
  const signed = readSignature(textOf(thoughtSignature) ?? '', 'text');
  const parts = textParts(text);
  if (signed === undefined) return parts;
  const thought = signedThought(signed);
  return isMovable(signed) ? [thought, ...parts] : [...parts, thought];
}

const textParts = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'text', text }]);
