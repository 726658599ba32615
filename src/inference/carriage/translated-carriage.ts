import { Refusal } from '../../base/errors/refusal.ts';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import { type Loss, lossCodesOf } from '../../translation/canonical/loss.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { DialectCodec } from '../../translation/contract/dialect-codec.ts';
import type { EncodeTarget } from '../../translation/contract/encode-target.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import { placeRefusal } from '../../translation/params/place-refusal.ts';
import { renameParam } from '../../translation/params/rename-param.ts';
import { answerDecoder, translateAnswer } from './translate-answer.ts';
import { translatingReader } from './translating-reader.ts';

/** A request that is translated for one target. */
export type Translation = {
  dialect: DialectCodec;
  codec: WireCodec;
  wire: Wire;
  head: ResponseHead;
  target: EncodeTarget;
  /** The request as it is encoded. Default: the request of the head. */
  sent?: CanonicalRequest;
  estimate: Estimator;
  /** The losses of the request so far. */
  losses?: readonly Loss[];
};

/**
 * Builds the carriage for a target that speaks another protocol. The request is encoded for it, and its
 * answer is decoded and encoded again.
 */
export function translatedCarriage(translation: Translation): Carriage | Refusal {
  const { dialect, codec, wire, head, target, estimate, losses = [], sent = head.request } = translation;
  const encoded = codec.encodeRequest(sent, target);
  if (encoded instanceof Refusal)
    return placeRefusal(renameParam(encoded, dialect.paramNames), head.body.value);
  const finish = dialect.answerFinisher?.(head);
  const newReader = () => {
    const answerText = new CountedText(estimate);
    return translatingReader({
      answerText,
      decode: answerDecoder(translation, answerText),
      encode: dialect.streamEncoder(head, estimate),
      finish,
      estimate,
    });
  };
  let reader: ReturnType<typeof newReader> | undefined;
  return {
    wire,
    path: codec.path(head.request, target),
    isOwnProtocol: codec.id === dialect.id,
    body: encoded.body,
    losses: lossCodesOf({ losses: [...losses, ...encoded.losses] }),
    closingFrame: codec.closingFrame,
    frameReader() {
      reader = newReader();
      return reader;
    },
    readAnswer: (text) => translateAnswer(text, translation),
    failureText: (refusal) => (reader ?? newReader()).fail(refusal),
  };
}
