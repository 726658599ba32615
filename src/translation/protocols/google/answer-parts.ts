import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartHead } from '../../canonical/event.ts';
import { AnswerSources } from './answer-sources.ts';
import { argumentsText, type PartPlace } from './arguments-text.ts';
import { PartialArguments } from './partial-arguments.ts';
import { type SignedKind, tokenOf } from './thought-signature.ts';

/** A part that has not ended. `pieces`: the arguments of a call that arrive in pieces. */
type OpenPart = { index: number; kind: PartHead['kind']; pieces?: PartialArguments };

/** Decodes the parts of one answer. They follow each other, and a text or thought continues over chunks. */
export class AnswerParts {
  readonly #events: DecodedEvents;
  readonly #newCallId: () => string;
  readonly #sources = new AnswerSources();
  #open: OpenPart | undefined;
  #hasCalls = false;

  constructor(events: DecodedEvents, newCallId: () => string) {
    this.#events = events;
    this.#newCallId = newCallId;
  }

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  readSources(candidate: Fields): void {
    this.#sources.read(candidate);
  }

  addPart(part: Fields, place: PartPlace): void {
    if (isObject(part.functionCall)) this.#addCall(part, place);
    else if (!isWritten(part)) this.#addOpaque(part);
    else if (part.thought === true) this.#addThought(part);
    else this.#addText(part);
  }

  /** Ends the last part. Sources that came after their text get an empty text of their own. */
  end(): void {
    this.#endPart();
    if (!this.#sources.hasUncited) return;
    this.#beginPart({ kind: 'text' });
    this.#endPart();
  }

  #addThought(part: Fields): void {
    const text = textOf(part.text) ?? '';
    const signature = textOf(part.thoughtSignature);
    if (text === '' && signature === undefined) return;
    const { index } = this.#continuedPart({ kind: 'thinking', form: 'summary' });
    if (text !== '') this.#events.growPart(index, { kind: 'thinking', text });
    if (signature === undefined) return;
    this.#sign(index, 'thought', signature);
    this.#endPart();
  }

  /** Adds text. Text has no field for a token, so the token goes into an empty thought after it. */
  #addText(part: Fields): void {
    const text = textOf(part.text) ?? '';
    if (text !== '') {
      const { index } = this.#continuedPart({ kind: 'text' });
      this.#events.growPart(index, { kind: 'text', text });
    }
    const signature = textOf(part.thoughtSignature);
    if (signature === undefined) return;
    const { index } = this.#beginPart({ kind: 'thinking', form: 'summary' });
    this.#sign(index, 'text', signature);
    this.#endPart();
  }

  /** Adds a call, or a piece of the open call. A piece has no name. */
  #addCall(part: Fields, place: PartPlace): void {
    const call = objectOf(part.functionCall);
    const name = textOf(call.name);
    const signature = textOf(part.thoughtSignature);
    const isSigned = signature !== undefined;
    const open = name === undefined ? this.#open : this.#beginCall(name, { id: call.id, isSigned });
    if (open?.kind !== 'tool-call') return;
    if (signature !== undefined) this.#sign(open.index, 'call', signature);
    if (call.args !== undefined) {
      this.#events.growPart(open.index, { kind: 'tool-input', text: argumentsText(part, place) });
    } else {
      open.pieces ??= new PartialArguments();
      open.pieces.add(call.partialArgs);
    }
    if (call.willContinue !== true) this.#endPart();
  }

  #beginCall(name: string, { id, isSigned }: { id: unknown; isSigned: boolean }): OpenPart {
    this.#hasCalls = true;
    const callId = textOf(id) || this.#newCallId();
    const head = { kind: 'tool-call', callId, name, inputKind: 'json' } as const;
    return this.#beginPart(isSigned ? { ...head, isSigned } : head);
  }

  /** Keeps executed code and its results, images and hosted tools unchanged, signature included. */
  #addOpaque(part: Fields): void {
    this.#endPart();
    this.#events.addPart({ kind: 'opaque', issuer: 'google', block: part });
  }

  #sign(index: number, kind: SignedKind, signature: string): void {
    this.#events.growPart(index, { kind: 'replay-token', replay: tokenOf(kind, signature) });
  }

  /** Returns the open part if it has this kind. Otherwise a new part begins. */
  #continuedPart(head: PartHead): OpenPart {
    return this.#open?.kind === head.kind ? this.#open : this.#beginPart(head);
  }

  #beginPart(head: PartHead): OpenPart {
    this.#endPart();
    this.#open = { index: this.#events.beginPart(head), kind: head.kind };
    return this.#open;
  }

  #endPart(): void {
    if (this.#open === undefined) return;
    const { index, kind, pieces } = this.#open;
    if (pieces) this.#events.growPart(index, { kind: 'tool-input', text: pieces.toString() });
    if (kind === 'text') {
      for (const citation of this.#sources.takeUncited())
        this.#events.growPart(index, { kind: 'citation', citation });
    }
    this.#events.endPart(index);
    this.#open = undefined;
  }
}

/** Returns true for a part with a text, a thought or only a signature. */
const isWritten = (part: Fields): boolean =>
  typeof part.text === 'string' || Object.keys(part).every((key) => key.startsWith('thought'));
