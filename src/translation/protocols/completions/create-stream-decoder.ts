import { listOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/codec.ts';
import { findUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { FAILED_FINISHES, readStop } from './stop.ts';

const DONE = '[DONE]';

/** Creates the decoder of one stream. The whole answer is one text part. */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const decoder = new StreamDecoder();
  return ({ data }) => decoder.decode(data.trim());
}

class StreamDecoder {
  #events: StreamEvent[] = [];
  #isStarted = false;
  #isSpeaking = false;
  #finishReason: string | undefined;
  #isEnded = false;

  decode(data: string): StreamEvent[] {
    if (this.#isEnded) return [];
    if (data === DONE || data === END_OF_BODY.data) this.#close(data === DONE);
    else this.#read(parseObject(data));
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Ends the answer. A host that sends no `[DONE]` must have given a finish reason before its body ended. */
  #close(isDone: boolean): void {
    if (!this.#isStarted || (!isDone && this.#finishReason === undefined))
      throw new SyntaxError('the stream ended before the answer was complete');
    this.#end();
  }

  #read(chunk: Fields): void {
    if (chunk.error != null) {
      this.#fail(chunk.error);
      return;
    }
    const usage = findUsage(chunk);
    if (!Array.isArray(chunk.choices) && !usage && this.#finishReason === undefined)
      throw new SyntaxError('the chunk has no choices');
    this.#start(chunk);
    const choice = listOf(chunk.choices).find(isFirstChoice);
    if (choice) this.#readChoice(choice);
    if (usage && !this.#isEnded) this.#events.push({ type: 'usage', usage });
  }

  #start({ id, model }: Fields): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#events.push({ type: 'response-start', responseId: textOf(id) ?? '', model: textOf(model) ?? '' });
  }

  #readChoice({ text, finish_reason, error }: Fields): void {
    if (typeof text === 'string' && text !== '') this.#say(text);
    const finishReason = textOf(finish_reason);
    const isFailed = finishReason !== undefined && FAILED_FINISHES.has(finishReason);
    if (error != null || isFailed) this.#fail(error ?? finishReason);
    else if (finishReason) this.#finishReason = finishReason;
  }

  #say(text: string): void {
    if (!this.#isSpeaking) this.#events.push({ type: 'part-start', index: 0, part: { kind: 'text' } });
    this.#isSpeaking = true;
    this.#events.push({ type: 'part-delta', index: 0, delta: { kind: 'text', text } });
  }

  #fail(error: unknown): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal: readUpstreamError(error) });
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#isSpeaking) this.#events.push({ type: 'part-end', index: 0 });
    this.#events.push({ type: 'response-end', stop: readStop(this.#finishReason) });
  }
}

/** Finds choice 0, the only one that the gateway asks for. */
const isFirstChoice = (choice: unknown): choice is Fields => isObject(choice) && (choice.index ?? 0) === 0;
