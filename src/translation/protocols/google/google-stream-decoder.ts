import { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';
import type { Frame } from '../../contract/codec.ts';
import { argumentsText } from './arguments-text.ts';
import { blockedPrompt } from './blocked-prompt.ts';
import { citationsOf } from './citations-of.ts';
import { closingFrame } from './explode.ts';
import { PartialArguments } from './partial-arguments.ts';
import { refusalOf } from './refusal-of.ts';
import { isFailedAnswer, stopOf } from './stop.ts';
import { type SignedKind, tokenOf } from './thought-signature.ts';
import { addCounts, type Counts, usageOf } from './usage.ts';

/** A part that has not ended. `partial`: the arguments of a call that arrive in pieces. */
type OpenPart = { index: number; kind: PartHead['kind']; partial?: PartialArguments };

/** The signature of a call, and its arguments as the vendor wrote them. */
type CallExtras = { signature: string | undefined; argumentsOf: () => string };

/** Decodes one stream. Each chunk repeats the envelope and adds to the parts of one candidate. */
export class GoogleStreamDecoder {
  readonly #newCallId: () => string;
  #events: StreamEvent[] = [];
  #open: OpenPart | undefined;
  #nextIndex = 0;
  #isStarted = false;
  #isEnded = false;
  #hasCalls = false;
  #counts: Counts = {};
  #stop: Stop | undefined;
  /** The latest sources. Those of a chunk replace those of an earlier one, which they repeat. */
  #citations: Citation[] = [];

  constructor(newCallId: () => string) {
    this.#newCallId = newCallId;
  }

  read(frame: Frame): StreamEvent[] {
    this.#events = [];
    if (this.#isEnded) return [];
    if (frame.event === closingFrame.event) this.#finish();
    else this.#chunk(parseObject(frame.data), frame.data);
    return this.#events;
  }

  #chunk(chunk: Fields, text: string): void {
    if (chunk.error !== undefined) this.#fail(refusalOf(chunk.error));
    else this.#answer(chunk, text);
  }

  #answer(chunk: Fields, text: string): void {
    this.#start(chunk);
    const candidate = objectOf(listOf(chunk.candidates)[0]);
    this.#cite(candidate); // first, since the chunk's parts may end the text that the sources belong to
    for (const [index, part] of listOf(objectOf(candidate.content).parts).entries()) {
      if (isObject(part)) this.#part(part, () => argumentsText(text, index, part));
    }
    this.#count(chunk.usageMetadata);
    this.#readFinish(textOf(candidate.finishReason), chunk);
  }

  #start({ responseId, modelVersion }: Fields): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#events.push({
      type: 'response-start',
      responseId: textOf(responseId) ?? '',
      model: textOf(modelVersion) ?? '',
    });
  }

  /** Reads the finish reason. Usage may follow in later chunks, so the answer ends only with the body. */
  #readFinish(reason: string | undefined, chunk: Fields): void {
    const isEmpty = this.#nextIndex === 0;
    const failure = isEmpty ? failureOf(reason, chunk) : undefined;
    if (failure) this.#fail(failure);
    else if (reason !== undefined) this.#stop = stopOf(reason, this.#hasCalls);
  }

  #count(metadata: unknown): void {
    if (!isObject(metadata)) return;
    this.#counts = addCounts(this.#counts, metadata);
    const usage = usageOf(this.#counts);
    if (usage) this.#events.push({ type: 'usage', usage });
  }

  #finish(): void {
    if (this.#stop === undefined) return; // the stream was cut
    this.#close();
    this.#isEnded = true;
    this.#events.push({ type: 'response-end', stop: this.#stop });
  }

  #fail(refusal: Refusal): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal });
  }

  #part(part: Fields, argumentsOf: () => string): void {
    const signature = textOf(part.thoughtSignature);
    const text = textOf(part.text) ?? '';
    if (isObject(part.functionCall)) this.#call(part.functionCall, { signature, argumentsOf });
    else if (!isWritten(part)) this.#opaque(part);
    else if (part.thought === true) this.#thought(text, signature);
    else this.#text(text, signature);
  }

  #thought(text: string, signature: string | undefined): void {
    if (text === '' && signature === undefined) return;
    const open = this.#continue({ kind: 'thinking', form: 'summary' });
    if (text !== '') this.#delta(open, { kind: 'thinking', text });
    if (signature === undefined) return;
    this.#sign(open, 'thought', signature);
    this.#close();
  }

  /** Adds text. Text has no field for a token, so the token goes into an empty thought after it. */
  #text(text: string, signature: string | undefined): void {
    if (text !== '') this.#delta(this.#continue({ kind: 'text' }), { kind: 'text', text });
    if (signature === undefined) return;
    this.#sign(this.#begin({ kind: 'thinking', form: 'summary' }), 'text', signature);
    this.#close();
  }

  #sign(open: OpenPart, kind: SignedKind, signature: string): void {
    this.#delta(open, { kind: 'replay-token', replay: tokenOf(kind, signature) });
  }

  /** Adds a call, or a piece of the open call, which has no name. */
  #call(call: Fields, { signature, argumentsOf }: CallExtras): void {
    const name = textOf(call.name);
    const open = name === undefined ? this.#open : this.#beginCall(name, call);
    if (open?.kind !== 'tool-call') return;
    if (signature !== undefined) this.#sign(open, 'call', signature);
    const isPiece = name === undefined || call.willContinue === true || call.partialArgs !== undefined;
    if (call.args !== undefined) {
      this.#delta(open, { kind: 'tool-input', text: argumentsOf() });
    } else if (isPiece) {
      open.partial ??= new PartialArguments();
      open.partial.add(call.partialArgs);
    } else {
      this.#delta(open, { kind: 'tool-input', text: '{}' });
    }
    if (call.willContinue !== true) this.#close();
  }

  #beginCall(name: string, call: Fields): OpenPart {
    this.#hasCalls = true;
    const callId = textOf(call.id) || this.#newCallId();
    return this.#begin({ kind: 'tool-call', callId, name, inputKind: 'json' });
  }

  /** Keeps executed code and its results, images and hosted tools unchanged, signature included. */
  #opaque(part: Fields): void {
    this.#begin({ kind: 'opaque', issuer: 'google', block: part });
    this.#close();
  }

  #cite(candidate: Fields): void {
    const citations = citationsOf(candidate);
    if (citations.length > 0) this.#citations = citations;
  }

  #continue(head: PartHead): OpenPart {
    return this.#open?.kind === head.kind ? this.#open : this.#begin(head);
  }

  #begin(head: PartHead): OpenPart {
    this.#close();
    const open: OpenPart = { index: this.#nextIndex++, kind: head.kind };
    this.#open = open;
    this.#events.push({ type: 'part-start', index: open.index, part: head });
    return open;
  }

  #delta({ index }: OpenPart, delta: PartDelta): void {
    this.#events.push({ type: 'part-delta', index, delta });
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    if (open.partial) this.#delta(open, { kind: 'tool-input', text: open.partial.toString() });
    if (open.kind === 'text') {
      for (const citation of this.#citations) this.#delta(open, { kind: 'citation', citation });
      this.#citations = [];
    }
    this.#events.push({ type: 'part-end', index: open.index });
    this.#open = undefined;
  }
}

/** Returns true for a part with a text, a thought or only a signature. */
const isWritten = (part: Fields): boolean =>
  typeof part.text === 'string' || Object.keys(part).every((key) => key.startsWith('thought'));

/** Returns the refusal for an answer that is empty because of a failure. */
function failureOf(reason: string | undefined, chunk: Fields): Refusal | undefined {
  const blocked = blockedPrompt(chunk);
  if (blocked) return blocked;
  if (reason === undefined || !isFailedAnswer(reason)) return undefined;
  return new Refusal('upstream_unavailable', { cause: reason });
}
