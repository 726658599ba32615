import { parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { KeptSound } from './kept-sound.ts';
import { speechUsage } from './speech-usage.ts';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Reads the events of speech: pieces of sound, and a last event with the usage. */
export function createSpeechReader(
  request: InferenceRequest,
  { estimate, metersSound }: AnswerLabel,
): FrameReader {
  const sound = metersSound ? new KeptSound() : undefined;
  const read = (frame: Frame): FrameMeaning => {
    const event = parseObject(frame.data);
    const { type, error } = event;
    if (error != null || type === 'error') throw new RefusedAnswer(readUpstreamError(error ?? event));
    if (sound && typeof event.audio === 'string') keep(sound, event.audio);
    const text = formatFrame({ event: frame.event, data: asOneLine(frame.data) });
    if (type !== 'speech.audio.done') return { text, begins: true, closes: false };
    const format = String(request.body.value.response_format ?? '');
    const usage = speechUsage(request, { sound, type: format, reported: event.usage });
    return { text, begins: true, closes: true, ends: true, usage };
  };
  return { read, answerText: new CountedText(estimate) };
}

function keep(sound: KeptSound, base64: string): void {
  sound.add(Buffer.from(base64, 'base64'));
  if (sound.byteLength > MAX_KEPT_BYTES) throw new RangeError('the answer exceeds the size limit');
}
