import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/codec.ts';
import { findUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { CallAssembly } from './call-assembly.ts';
import { decodeDelta } from './decode-delta.ts';
import { PartEvents } from './part-events.ts';
import { isFailedFinish, readSequence, readStop, withSequence } from './stop.ts';

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
  readonly #answered = { refusal: false };
  #started = false;
  #finish: string | undefined;
  #sequence: string | null | undefined;
  #isEnded = false;

  decode(frame: Frame): StreamEvent[] {
    if (this.#isEnded) return [];
    const data = frame.data.trim();
    if (data === DONE || data === END_OF_BODY.data) this.#close(data === DONE);
    else this.#read(frame.event, parseChunk(data));
    return this.#parts.take();
  }

  #close(isDone: boolean): void {
    if (!this.#started || (!isDone && this.#finish === undefined))
      throw new SyntaxError('the stream ended before the answer was complete');
    this.#end();
  }

  #read(event: string | undefined, chunk: Fields): void {
    const error = chunk.error ?? (event === 'error' || chunk.object === 'error' ? chunk : undefined);
    if (error !== undefined && error !== null) {
      this.#fail(error);
      return;
    }
    const choices = chunk.choices;
    const usage = findUsage(chunk);
    if (!Array.isArray(choices)) {
      if (usage === undefined && this.#finish === undefined)
        throw new SyntaxError('the chunk has no choices');
    } else if (choices.length > 0) this.#start(chunk);
    const choice = firstChoice(choices);
    if (choice !== undefined) this.#readChoice(choice, chunk);
    if (usage === undefined || this.#isEnded) return;
    this.#start(chunk);
    this.#parts.push({ type: 'usage', usage });
  }

  #start(chunk: Fields): void {
    if (this.#started) return;
    this.#started = true;
    const responseId = typeof chunk.id === 'string' ? chunk.id : '';
    const model = typeof chunk.model === 'string' ? chunk.model : '';
    this.#calls.name(responseId);
    this.#parts.push({ type: 'response-start', responseId, model });
  }

  #readChoice(choice: Fields, chunk: Fields): void {
    const delta = choice.delta ?? choice.message;
    if (isObject(delta))
      decodeDelta(delta, { parts: this.#parts, calls: this.#calls, answered: this.#answered });
    for (const source of Array.isArray(chunk.citations) ? chunk.citations : [])
      this.#parts.cite(source, isObject(source) ? source : { url: source });
    const finish = choice.finish_reason;
    if (typeof finish !== 'string' || finish === '') return;
    if (isFailedFinish(finish)) this.#fail(choice.error ?? finish);
    else {
      this.#finish = finish;
      this.#sequence = readSequence(choice);
    }
  }

  #fail(error: unknown): void {
    this.#isEnded = true;
    this.#parts.push({ type: 'response-error', refusal: readUpstreamError(error) });
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#parts.endSpeech();
    this.#calls.endAll();
    const stop = readStop(this.#finish, { calls: this.#calls.any, ...this.#answered });
    this.#parts.push({ type: 'response-end', stop: withSequence(stop, this.#sequence) });
  }
}

function parseChunk(data: string): Fields {
  const chunk: unknown = JSON.parse(data);
  if (isObject(chunk)) return chunk;
  throw new SyntaxError('the chunk is not an object');
}

/** Returns choice 0, the only one that the gateway asks for. Events cannot represent others. */
function firstChoice(choices: unknown): Fields | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice) => isObject(choice) && (choice.index ?? 0) === 0);
}
