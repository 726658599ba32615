import { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { Stop, StreamEvent } from '../../canonical/event.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';
import { AnswerParts } from './answer-parts.ts';
import { blockedPrompt } from './blocked-prompt.ts';
import { refusalOf } from './refusal-of.ts';
import { type ReportedCounts, usageOf } from './reported-counts.ts';
import { isFailedAnswer, stopOf } from './stop.ts';
import { addCounts } from './usage.ts';

/** Decodes one stream. Each chunk repeats the envelope and adds to the parts of one candidate. */
export class GoogleStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #parts: AnswerParts;
  #counts: ReportedCounts = {};
  #stop: Stop | undefined;

  constructor(newCallId: () => string) {
    this.#parts = new AnswerParts(this.#events, newCallId);
  }

  read(frame: Frame): StreamEvent[] {
    if (this.#events.hasEnded) return [];
    if (frame.event === END_OF_STREAM.event) this.#endAnswer();
    else this.#readChunk(parseObject(frame.data), frame.data);
    return this.#events.take();
  }

  #readChunk(chunk: Fields, chunkText: string): void {
    if (chunk.error != null) {
      this.#events.fail(refusalOf(chunk.error));
      return;
    }
    this.#events.start({ id: chunk.responseId, model: chunk.modelVersion });
    const candidate = objectOf(listOf(chunk.candidates)[0]);
    // The sources are read first, since the chunk's parts may end the text that the sources belong to.
    this.#parts.readSources(candidate);
    for (const [index, part] of listOf(objectOf(candidate.content).parts).entries())
      if (isObject(part)) this.#parts.addPart(part, { chunkText, index });
    this.#readUsage(chunk.usageMetadata);
    this.#readFinishReason(textOf(candidate.finishReason), chunk);
  }

  #readUsage(metadata: unknown): void {
    if (!isObject(metadata)) return;
    this.#counts = addCounts(this.#counts, metadata);
    this.#events.addUsage(usageOf(this.#counts));
  }

  /** Reads the finish reason. Usage may follow in later chunks, so the answer ends only with the body. */
  #readFinishReason(reason: string | undefined, chunk: Fields): void {
    const isEmpty = this.#events.partCount === 0;
    const failure = isEmpty ? failureOf(reason, chunk) : undefined;
    if (failure) this.#events.fail(failure);
    else if (reason !== undefined) this.#stop = stopOf(reason, this.#parts.hasCalls);
  }

  #endAnswer(): void {
    if (this.#stop === undefined) return; // the stream was cut
    this.#parts.end();
    this.#events.end(this.#stop);
  }
}

/** Returns the refusal for an answer that is empty because of a failure. */
function failureOf(reason: string | undefined, chunk: Fields): Refusal | undefined {
  const blocked = blockedPrompt(chunk);
  if (blocked) return blocked;
  if (reason === undefined || !isFailedAnswer(reason)) return undefined;
  return new Refusal('upstream_unavailable', { cause: reason });
}
