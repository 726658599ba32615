import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { BytesReader } from '../../contract/bytes-reader.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { KeptSound } from './kept-sound.ts';
import { speechUsage } from './speech-usage.ts';

/** Follows the sound of an answer. It is kept only if the model is billed by the second. */
export function speechBytes(
  request: InferenceRequest,
  { metersSound }: AnswerLabel,
  contentType: string,
): BytesReader {
  const sound = metersSound ? new KeptSound() : undefined;
  let byteLength = 0;
  return {
    keeps: sound !== undefined,
    get byteLength() {
      return byteLength;
    },
    take(piece) {
      byteLength += piece.byteLength;
      sound?.add(piece);
    },
    usage: () => speechUsage(request, { sound, type: contentType }),
  };
}
