import type { Refusal } from '../../base/errors/refusal.ts';
import { Collector } from '../../translation/canonical/collect.ts';
import type { CountedText } from '../../translation/canonical/counted-text.ts';
import { billedUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { StreamEvent } from '../../translation/canonical/event.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { AnswerFinisher } from '../../translation/contract/finished-answer.ts';
import type { Frame } from '../../translation/contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../translation/contract/frame-reader.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';

/** Ends the streams of some dialects, after the last frame with content. */
const DONE = '[DONE]';

type Translating = {
  answerText: CountedText;
  decode: (frame: Frame) => StreamEvent[];
  encode: (event: StreamEvent) => Frame[];
  finish: AnswerFinisher | undefined;
  estimate: Estimator;
};

/** Reads the upstream's frames, and returns frames of the client's protocol with their meaning. */
export function translatingReader({ answerText, decode, encode, finish, estimate }: Translating) {
  const collector = finish && new Collector();
  let hasEnded = false;
  /** The number of frames that wait until the answer is settled. */
  let unsent = 0;
  const read = (frame: Frame): FrameMeaning => {
    let text = '';
    let begins = false;
    let usage: Usage | undefined;
    let lastData = '';
    unsent = 0;
    for (const decoded of decode(frame)) {
      const event = decoded.type === 'usage' ? asBilled(decoded, estimate) : decoded;
      if (event.type === 'response-error') throw new RefusedAnswer(event.refusal);
      begins ||= event.type === 'part-start' || event.type === 'response-end';
      hasEnded ||= event.type === 'response-end';
      if (decoded.type === 'usage') usage = decoded.usage;
      collector?.add(event);
      for (const piece of encode(event)) {
        text += formatFrame(piece);
        if (piece.data !== DONE) lastData = piece.data;
        unsent++;
      }
    }
    const answer = hasEnded && collector ? finish?.(collector.response, lastData) : undefined;
    return {
      text,
      begins,
      closes: hasEnded,
      ends: hasEnded,
      ...(usage && { usage }),
      ...(answer && { answer }),
    };
  };
  const fail = (refusal: Refusal): string =>
    encode({ type: 'response-error', refusal, unsent: hasEnded ? unsent : 0 })
      .map(formatFrame)
      .join('');
  return { read, fail, answerText } satisfies FrameReader;
}

type UsageEvent = Extract<StreamEvent, { type: 'usage' }>;

function asBilled(decoded: UsageEvent, estimate: Estimator): UsageEvent {
  const usage = billedUsage(decoded.usage, estimate);
  return usage === decoded.usage ? decoded : { ...decoded, usage };
}
