import { Refusal } from '../../base/errors/refusal.ts';
import { collect } from '../../translation/canonical/collect.ts';
import { completeUsage } from '../../translation/canonical/complete-usage.ts';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import { endAtStops } from '../../translation/canonical/end-at-stops.ts';
import { billedUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { StreamEvent } from '../../translation/canonical/event.ts';
import { stringifyWithRaw } from '../../translation/canonical/raw-json.ts';
import type { DialectCodec } from '../../translation/contract/dialect-codec.ts';
import type { Frame } from '../../translation/contract/frame.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import { restoreTools } from '../../translation/encoding/restore-tools.ts';
import { restoreItems } from '../../translation/fitting/restore-items.ts';

/** The client's protocol, the upstream's, and the request between them. */
export type AnswerTranslation = {
  dialect: DialectCodec;
  codec: WireCodec;
  head: ResponseHead;
  estimate: Estimator;
};

/** Decodes an upstream's frames into events that keep the promises of the canonical model. */
export function answerDecoder(
  { codec, head, estimate }: Omit<AnswerTranslation, 'dialect'>,
  answerText: CountedText,
): (frame: Frame) => StreamEvent[] {
  const decode = codec.streamDecoder();
  const restore = restoreTools(head.request.tools);
  const endAtStop = endAtStops(head.request.sampling.stopSequences, codec.ambiguousStop);
  const complete = completeUsage(answerText, estimate);
  const restoreOwn = restoreItems(head.request, head.recapKey);
  return (frame) => decode(frame).flatMap(endAtStop).flatMap(complete).flatMap(restore).flatMap(restoreOwn);
}

/** Translates an upstream's whole answer into the client's protocol. */
export function translateAnswer(text: string, translation: AnswerTranslation): WholeAnswer {
  const { dialect, codec, head, estimate } = translation;
  const response = collect(
    codec.splitAnswer(text).flatMap(answerDecoder(translation, new CountedText(estimate))),
  );
  if (response instanceof Refusal) throw new RefusedAnswer(response);
  const usage = response.usage!;
  const shown = { ...response, usage: billedUsage(usage, estimate) };
  const answerJson = stringifyWithRaw(dialect.encodeResponse(shown, head));
  const finish = dialect.answerFinisher?.(head);
  return { text: answerJson, usage, ...(finish && { answer: finish(shown, answerJson) }) };
}
