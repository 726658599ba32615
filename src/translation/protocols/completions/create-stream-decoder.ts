import { parseObject, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';
import { firstChoice } from '../openai/first-choice.ts';
import { findUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { isFailedFinish, readStop } from './stop.ts';

/** Creates the decoder of one stream. The whole answer is one text part. */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const decoder = new StreamDecoder();
  return ({ data }) => decoder.decode(data.trim());
}

class StreamDecoder {
  readonly #events = new DecodedEvents();
  #textIndex: number | undefined;
  #finishReason: string | undefined;

  decode(data: string): StreamEvent[] {
    if (this.#events.hasEnded) return [];
    if (data === DONE || data === END_OF_BODY.data) this.#end(data === DONE);
    else this.#read(parseObject(data));
    return this.#events.take();
  }

  /** Ends the answer. A host that sends no `[DONE]` must have given a finish reason before its body ended. */
  #end(isMarked: boolean): void {
    if (this.#events.responseId === undefined || (!isMarked && this.#finishReason === undefined))
      throw new SyntaxError('the stream ended before the answer was complete');
    if (this.#textIndex !== undefined) this.#events.endPart(this.#textIndex);
    this.#events.end(readStop(this.#finishReason));
  }

  #read(chunk: Fields): void {
    if (chunk.error != null) {
      this.#events.fail(readUpstreamError(chunk.error));
      return;
    }
    const usage = findUsage(chunk);
    if (!Array.isArray(chunk.choices) && !usage && this.#finishReason === undefined)
      throw new SyntaxError('the chunk has no choices');
    this.#events.start(chunk);
    const choice = firstChoice(chunk);
    if (choice) this.#readChoice(choice);
    if (!this.#events.hasEnded) this.#events.addUsage(usage);
  }

  #readChoice({ text, finish_reason, error }: Fields): void {
    if (typeof text === 'string' && text !== '') this.#say(text);
    const finishReason = textOf(finish_reason);
    const isFailed = finishReason !== undefined && isFailedFinish(finishReason);
    if (error != null || isFailed) this.#events.fail(readUpstreamError(error ?? finishReason));
    else if (finishReason) this.#finishReason = finishReason;
  }

  #say(text: string): void {
    this.#textIndex ??= this.#events.beginPart({ kind: 'text' });
    this.#events.growPart(this.#textIndex, { kind: 'text', text });
  }
}
