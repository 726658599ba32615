import { listOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';
import { firstChoice } from '../openai/first-choice.ts';
import { findUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { CallAssembly } from './call-assembly.ts';
import { decodeDelta } from './decode-delta.ts';
import { Speech } from './speech.ts';
import { isFailedFinish, readStop, readStopDetails, type StopDetails, withStopDetails } from './stop.ts';

/**
 * Creates the decoder of one stream.
 * A host that sends no `[DONE]` must have given a finish reason before its body ended.
 */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const decoder = new StreamDecoder();
  return (frame) => decoder.decode(frame);
}

class StreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #speech = new Speech(this.#events);
  readonly #calls = new CallAssembly(this.#events, this.#speech);
  readonly #writers = { events: this.#events, speech: this.#speech, calls: this.#calls };
  #finishReason: string | undefined;
  #stopDetails: StopDetails;

  decode(frame: Frame): StreamEvent[] {
    if (this.#events.hasEnded) return [];
    const data = frame.data.trim();
    if (data === DONE || data === END_OF_BODY.data) this.#end(data === DONE);
    else this.#read(frame.event, parseObject(data));
    return this.#events.take();
  }

  #end(isMarked: boolean): void {
    if (this.#events.responseId === undefined || (!isMarked && this.#finishReason === undefined))
      throw new SyntaxError('the stream ended before the answer was complete');
    this.#speech.end();
    this.#calls.endAll();
    const answered = { calls: this.#calls.hasCalls, refusal: this.#speech.hasRefusal };
    const stop = readStop(this.#finishReason, answered);
    this.#events.end(withStopDetails(stop, this.#stopDetails));
  }

  #read(event: string | undefined, chunk: Fields): void {
    const error = chunk.error ?? (event === 'error' || chunk.object === 'error' ? chunk : undefined);
    if (error != null) {
      this.#events.fail(readUpstreamError(error));
      return;
    }
    const usage = findUsage(chunk);
    if (!Array.isArray(chunk.choices) && !usage && this.#finishReason === undefined)
      throw new SyntaxError('the chunk has no choices');
    if (listOf(chunk.choices).length > 0 || usage) this.#events.start(chunk);
    const choice = firstChoice(chunk);
    if (choice) this.#readChoice(choice, chunk);
    if (!this.#events.hasEnded) this.#events.addUsage(usage);
  }

  #readChoice(choice: Fields, chunk: Fields): void {
    const delta = choice.delta ?? choice.message;
    if (isObject(delta)) decodeDelta(delta, this.#writers);
    for (const source of listOf(chunk.citations))
      this.#speech.cite(source, isObject(source) ? source : { url: source });
    const finishReason = textOf(choice.finish_reason);
    if (!finishReason) return;
    if (isFailedFinish(finishReason)) {
      this.#events.fail(readUpstreamError(choice.error ?? finishReason));
    } else {
      this.#finishReason = finishReason;
      this.#stopDetails = readStopDetails(choice);
    }
  }
}
