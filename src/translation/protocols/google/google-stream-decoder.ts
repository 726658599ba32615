import { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';
import type { Frame } from '../../contract/codec.ts';
import { blockedPrompt } from './answer-chunk.ts';
import { argumentsText } from './arguments-text.ts';
import { citationsOf } from './citations-of.ts';
import { closingFrame } from './explode.ts';
import { PartialArguments } from './partial-arguments.ts';
import { refusalOf } from './refusal-of.ts';
import { isFailedAnswer, stopOf } from './stop.ts';
import { type SignedKind, tokenOf } from './thought-signature.ts';
import { addCounts, type Counts, usageOf } from './usage.ts';

type OpenPart = { index: number; kind: PartHead['kind']; partial?: PartialArguments };

/** Decodes one stream. Each chunk repeats the envelope and adds to the parts of one candidate. */
export class GoogleStreamDecoder {
  readonly #newCallId: () => string;
  #events: StreamEvent[] = [];
  #open: OpenPart | undefined;
  #next = 0;
  #started = false;
  #isEnded = false;
  #called = false;
  #counts: Counts = {};
  #stop: Stop | undefined;
  /** The latest sources. A later chunk repeats and replaces those of an earlier one. */
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
    for (const [at, part] of listOf(objectOf(candidate.content).parts).entries()) {
      if (isObject(part)) this.#part(part, () => argumentsText(text, at, part));
    }
    this.#count(chunk.usageMetadata);
    this.#judge(textOf(candidate.finishReason), chunk);
  }

  #start({ responseId, modelVersion }: Fields): void {
    if (this.#started) return;
    this.#started = true;
    this.#events.push({
      type: 'response-start',
      responseId: textOf(responseId) ?? '',
      model: textOf(modelVersion) ?? '',
    });
  }

  #judge(reason: string | undefined, chunk: Fields): void {
    const isEmpty = this.#next === 0;
    const failure = isEmpty ? failureOf(reason, chunk) : undefined;
    if (failure) {
      this.#fail(failure);
      return;
    }
    // Usage may follow in later chunks, so the answer ends only with the body.
    if (reason !== undefined) this.#stop = stopOf(reason, this.#called);
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
    this.#continue({ kind: 'thinking', form: 'summary' });
    if (text !== '') this.#delta({ kind: 'thinking', text });
    if (signature !== undefined) this.#sign('thought', signature);
  }

  /** Adds text. Text has no field for a token, so the token goes into an empty thought after it. */
  #text(text: string, signature: string | undefined): void {
    if (text !== '') {
      this.#continue({ kind: 'text' });
      this.#delta({ kind: 'text', text });
    }
    if (signature === undefined) return;
    this.#begin({ kind: 'thinking', form: 'summary' });
    this.#sign('text', signature);
  }

  #sign(kind: SignedKind, signature: string): void {
    this.#delta({ kind: 'replay-token', replay: tokenOf(kind, signature) });
    if (kind !== 'call') this.#close();
  }

  #call(call: Fields, piece: { signature: string | undefined; argumentsOf: () => string }): void {
    const name = textOf(call.name);
    const continued = name === undefined && this.#open?.kind === 'tool-call';
    if (name === undefined && !continued) return;
    if (name !== undefined) {
      const callId = textOf(call.id) || this.#newCallId();
      this.#begin({ kind: 'tool-call', callId, name, inputKind: 'json' });
      this.#called = true;
    }
    const open = this.#open!;
    if (piece.signature !== undefined) this.#sign('call', piece.signature);
    if (call.args !== undefined) this.#delta({ kind: 'tool-input', text: piece.argumentsOf() });
    else if (call.willContinue === true || call.partialArgs !== undefined || continued) {
      open.partial ??= new PartialArguments();
      open.partial.add(call.partialArgs);
    } else this.#delta({ kind: 'tool-input', text: '{}' });
    if (call.willContinue !== true) this.#close();
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

  #continue(head: PartHead): void {
    if (this.#open?.kind !== head.kind) this.#begin(head);
  }

  #begin(head: PartHead): void {
    this.#close();
    this.#open = { index: this.#next++, kind: head.kind };
    this.#events.push({ type: 'part-start', index: this.#open.index, part: head });
  }

  #delta(delta: PartDelta): void {
    this.#events.push({ type: 'part-delta', index: this.#open!.index, delta });
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { index, kind, partial } = this.#open;
    if (partial) this.#delta({ kind: 'tool-input', text: partial.toString() });
    if (kind === 'text') {
      for (const citation of this.#citations) this.#delta({ kind: 'citation', citation });
      this.#citations = [];
    }
    this.#events.push({ type: 'part-end', index });
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
