import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type { Part, ReplayToken, TextPart, ToolCallPart, ToolResultPart } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { EncodedTurn, Role, Unit } from '../../encoding/join-turns.ts';
import { encodeMedia, type GooglePart } from './encode-media.ts';
import { UNSIGNED } from './signature-text.ts';
import { signatureOf } from './thought-signature.ts';

/** The facts of the whole request that the encoder of a turn needs. */
type TurnContext = {
  notes: EncodeNotes;
  /** Function names by call id, since results must name their function. */
  namesOfCalls: ReadonlyMap<string, string>;
  isThirdGeneration: boolean;
};

/**
 * Call ids of other vendors and of the gateway. They are omitted: the vendor matches calls without its own
 * ids by order, and Vertex refuses ids.
 */
const FOREIGN_ID = /^(call_|toolu_|tooluse_|fc_|ctc_|chatcmpl-|functions\.)/;

/**
 * Encodes a turn. Its parts are not encoded one by one, since a signature must stay on the part that it came
 * with.
 */
export class TurnEncoder {
  readonly #context: TurnContext;
  readonly #units: Unit<GooglePart>[] = [];
  /** The signature that waits for the next call. */
  #callSignature: string | undefined;
  /** The signature that waits for the next text. */
  #textSignature: string | undefined;
  /** True after the first call of the turn. */
  #hasCall = false;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  encode(role: Role, parts: readonly Part[]): EncodedTurn<GooglePart> {
    for (const part of parts) {
      if ('cache' in part && part.cache) this.#context.notes.lose('cache-breakpoint');
      this.#units.push(handlerOf(this.#encoders, part)(part));
    }
    if (this.#textSignature !== undefined)
      this.#units.push({ blocks: [{ text: '', thoughtSignature: this.#textSignature }] });
    return { role, units: this.#units };
  }

  readonly #encoders: KindTable<Part, [], Unit<GooglePart>> = {
    text: (part) => this.#text(part),
    refusal: ({ text }) => ({ blocks: text === '' ? [] : [{ text }] }),
    thinking: ({ text, replay }) => this.#thinking(text, replay),
    'redacted-thinking': ({ replay }) => this.#thinking('', replay),
    'tool-call': (part) => this.#call(part),
    'tool-result': (part) => this.#result(part),
    image: (part) => ({ blocks: encodeMedia(part, this.#context.notes) }),
    document: (part) => ({ blocks: encodeMedia(part, this.#context.notes) }),
    audio: (part) => ({ blocks: encodeMedia(part, this.#context.notes) }),
    opaque: ({ issuer, block }) => {
      if (issuer === 'google') return { blocks: [block as GooglePart] };
      this.#context.notes.lose('opaque-block');
      return { blocks: [] };
    },
  };

  #text({ text, citations }: TextPart): Unit<GooglePart> {
    if (citations !== undefined) this.#context.notes.lose('citation');
    if (text === '') return { blocks: [] };
    const thoughtSignature = this.#textSignature;
    this.#textSignature = undefined;
    return { blocks: [{ text, ...(thoughtSignature && { thoughtSignature }) }] };
  }

  /** Encodes thinking that this vendor signed. Other thinking is dropped. */
  #thinking(text: string, replay: ReplayToken | undefined): Unit<GooglePart> {
    if (replay?.issuer !== 'google') {
      if (replay) this.#context.notes.lose('replay-token');
      if (text !== '') this.#context.notes.lose('thinking-block');
      return { blocks: [] };
    }
    const { kind, signature } = signatureOf(replay);
    if (kind === 'thought') return { blocks: [{ text, thought: true, thoughtSignature: signature }] };
    if (kind === 'call') this.#callSignature = signature;
    else if (!this.#signText(signature)) this.#textSignature = signature;
    return { blocks: [] };
  }

  /** Puts a signature on the text before it. Returns false if no unsigned text is there. */
  #signText(thoughtSignature: string): boolean {
    const last = this.#units.findLast(({ blocks }) => blocks.length > 0)?.blocks.at(-1);
    if (last === undefined || !('text' in last) || 'thought' in last || 'thoughtSignature' in last)
      return false;
    last.thoughtSignature = thoughtSignature;
    return true;
  }

  #call({ callId, name, input, replay }: ToolCallPart): Unit<GooglePart> {
    const thoughtSignature = this.#signatureOfCall(replay);
    this.#callSignature = undefined;
    this.#hasCall = true;
    const args = new RawJson(objectInput(input));
    const functionCall = { ...idOf(callId), name, args };
    return { blocks: [{ functionCall, ...(thoughtSignature && { thoughtSignature }) }] };
  }

  /**
   * Returns the signature of a call. Of parallel calls only the first is signed. Gemini 3 refuses a turn of
   * calls without any signature.
   */
  #signatureOfCall(replay: ReplayToken | undefined): string | undefined {
    if (replay?.issuer === 'google') return signatureOf(replay).signature;
    if (replay) this.#context.notes.lose('replay-token');
    const needsOne = this.#context.isThirdGeneration && !this.#hasCall;
    return this.#callSignature ?? (needsOne ? UNSIGNED : undefined);
  }

  /** Encodes a result. Before Gemini 3, results hold no media, so their media precede them. */
  #result({ callId, content, isError }: ToolResultPart): Unit<GooglePart> {
    const text = content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
    const media = content.flatMap((part) => this.#resultMedia(part));
    const functionResponse = {
      ...idOf(callId),
      name: this.#context.namesOfCalls.get(callId) ?? 'unknown',
      response: { [isError ? 'error' : 'output']: text },
    };
    if (this.#context.isThirdGeneration && media.length > 0) {
      return { blocks: [{ functionResponse: { ...functionResponse, parts: media } }], answers: callId };
    }
    if (media.length > 0) this.#context.notes.lose('tool-result-media');
    this.#units.push({ blocks: media });
    return { blocks: [{ functionResponse }], answers: callId };
  }

  #resultMedia(part: ToolResultPart['content'][number]): GooglePart[] {
    if (part.cache) this.#context.notes.lose('cache-breakpoint');
    return part.kind === 'text' ? [] : encodeMedia(part, this.#context.notes);
  }
}

const idOf = (callId: string): { id?: string } => (FOREIGN_ID.test(callId) ? {} : { id: callId });
