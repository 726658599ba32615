import { listOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/codec.ts';
import { findUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { CallAssembly } from './call-assembly.ts';
import { decodeDelta } from './decode-delta.ts';
import { PartEvents } from './part-events.ts';
import { isFailedFinish, readStop, readStopDetails, type StopDetails, withStopDetails } from './stop.ts';

const DONE = '[DONE]';

/**
 * Creates the decoder of one stream.
 * A host that sends no `[DONE]` must have given a finish reason before its body ended.
 */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const decoder = new StreamDecoder();
  return (frame) => decoder.decode(frame);
}

class StreamDecoder {
  readonly #parts = new PartEvents();
  readonly #calls = new CallAssembly(this.#parts);
  #isStarted = false;
  #finishReason: string | undefined;
  #stopDetails: StopDetails;
  #isEnded = false;

  decode(frame: Frame): StreamEvent[] {
    if (this.#isEnded) return [];
    const data = frame.data.trim();
    if (data === DONE || data === END_OF_BODY.data) this.#close(data === DONE);
    else this.#read(frame.event, parseObject(data));
    return this.#parts.takeEvents();
  }

  #close(isDone: boolean): void {
    if (!this.#isStarted || (!isDone && this.#finishReason === undefined))
      throw new SyntaxError('the stream ended before the answer was complete');
    this.#end();
  }

  #read(event: string | undefined, chunk: Fields): void {
    const error = chunk.error ?? (event === 'error' || chunk.object === 'error' ? chunk : undefined);
    if (error != null) {
      this.#fail(error);
      return;
    }
    const usage = findUsage(chunk);
    if (!Array.isArray(chunk.choices) && !usage && this.#finishReason === undefined)
      throw new SyntaxError('the chunk has no choices');
    const choices = listOf(chunk.choices);
    if (choices.length > 0 || usage) this.#start(chunk);
    const choice = choices.find(isFirstChoice);
    if (choice) this.#readChoice(choice, chunk);
    if (usage && !this.#isEnded) this.#parts.push({ type: 'usage', usage });
  }

  #start({ id, model }: Fields): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const responseId = textOf(id) ?? '';
    this.#calls.setResponseId(responseId);
    this.#parts.push({ type: 'response-start', responseId, model: textOf(model) ?? '' });
  }

  #readChoice(choice: Fields, chunk: Fields): void {
    const delta = choice.delta ?? choice.message;
    if (isObject(delta)) decodeDelta(delta, { parts: this.#parts, calls: this.#calls });
    for (const source of listOf(chunk.citations))
      this.#parts.cite(source, isObject(source) ? source : { url: source });
    const finishReason = textOf(choice.finish_reason);
    if (!finishReason) return;
    if (isFailedFinish(finishReason)) {
      this.#fail(choice.error ?? finishReason);
    } else {
      this.#finishReason = finishReason;
      this.#stopDetails = readStopDetails(choice);
    }
  }

  #fail(error: unknown): void {
    this.#isEnded = true;
    this.#parts.push({ type: 'response-error', refusal: readUpstreamError(error) });
  }

  #end(): void {
    this.#isEnded = true;
    this.#parts.endSpeech();
    this.#calls.endAll();
    const answered = { calls: this.#calls.hasCalls, refusal: this.#parts.hasRefusal };
    const stop = readStop(this.#finishReason, answered);
    this.#parts.push({ type: 'response-end', stop: withStopDetails(stop, this.#stopDetails) });
  }
}

/** Finds choice 0, the only one that the gateway asks for. Events cannot represent others. */
const isFirstChoice = (choice: unknown): choice is Fields => isObject(choice) && (choice.index ?? 0) === 0;
