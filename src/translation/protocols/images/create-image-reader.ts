import { parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { laterUsage, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { DONE } from '../../framing/done.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { imageUsage, isWhole } from './image-usage.ts';

/**
 * Reads the events of a stream of images. Partial images pass through and cost nothing. The last whole image
 * ends the stream, which has no event of its own for its end.
 */
export function createImageReader(request: InferenceRequest, { estimate }: AnswerLabel): FrameReader {
  const requestedImages = request.metered?.counts.image ?? 1;
  let images = 0;
  let usage: Usage | undefined;
  const read = (frame: Frame): FrameMeaning => {
    const { data } = frame;
    if (data === DONE || data === END_OF_BODY.data) {
      if (images === 0) throw new SyntaxError('the stream ended before any image was whole');
      return { text: '', begins: true, closes: true, ends: true };
    }
    const event = parseObject(data);
    const { type, error } = event;
    if (error != null || type === 'error') throw new RefusedAnswer(readUpstreamError(error ?? event));
    const text = formatFrame({ event: frame.event, data: asOneLine(data) });
    if (typeof type !== 'string' || !type.endsWith('.completed'))
      return { text, begins: true, closes: false };
    if (!isWhole(event)) {
      if (images === 0) throw new SyntaxError('the stream has an image without content');
      return { text, begins: true, closes: false };
    }
    images++;
    usage = laterUsage(usage, imageUsage(images, event, request));
    const isLast = images >= requestedImages;
    return { text, begins: true, closes: isLast, ends: isLast, usage };
  };
  return { read, answerText: new CountedText(estimate) };
}
