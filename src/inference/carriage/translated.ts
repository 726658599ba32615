import { Refusal } from '../../base/errors/refusal.ts';
import { Collector } from '../../translation/canonical/collect.ts';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import { billedUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { StreamEvent } from '../../translation/canonical/event.ts';
import { type Loss, lossCodesOf } from '../../translation/canonical/loss.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type {
  DialectCodec,
  EncodeTarget,
  Frame,
  Keeper,
  ResponseHead,
  WireCodec,
} from '../../translation/contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../translation/contract/frame-reader.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';
import { placeRefusal } from '../../translation/params/place-refusal.ts';
import { renameParam } from '../../translation/params/rename-param.ts';
import { answerDecoder, translateAnswer } from './translate-answer.ts';

export type Translation = {
  dialect: DialectCodec;
  codec: WireCodec;
  wire: Wire;
  head: ResponseHead;
  target: EncodeTarget;
  /** The request as it is encoded. Default: that of the head. */
  sent?: CanonicalRequest;
  estimate: Estimator;
  /** The losses of the request so far. */
  losses?: readonly Loss[];
};

/**
 * Builds the carriage for a target that speaks another protocol. The request is encoded for it, and its
 * answer is decoded and encoded again.
 */
export function translated(translation: Translation): Carriage | Refusal {
  const { dialect, codec, wire, head, target, estimate, losses = [], sent = head.request } = translation;
  const encoded = codec.encodeRequest(sent, target);
  if (encoded instanceof Refusal)
    return placeRefusal(renameParam(encoded, dialect.paramNames), head.body.value);
  const keeper = dialect.keeper?.(head);
  const newReader = () => {
    const answerText = new CountedText(estimate);
    return translatingReader({
      answerText,
      decode: answerDecoder(translation, answerText),
      encode: dialect.streamEncoder(head, estimate),
      keeper,
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

/** Ends the streams of some dialects, after the last frame with content. */
const DONE = '[DONE]';

type Translating = {
  answerText: CountedText;
  decode: (frame: Frame) => StreamEvent[];
  encode: (event: StreamEvent) => Frame[];
  keeper: Keeper | undefined;
  estimate: Estimator;
};

/** Reads the upstream's frames, and returns frames of the client's protocol with their meaning. */
function translatingReader({ answerText, decode, encode, keeper, estimate }: Translating) {
  const collector = keeper && new Collector();
  let ended = false;
  /** The number of frames that wait until the answer is settled. */
  let unsent = 0;
  const read = (frame: Frame): FrameMeaning => {
    let text = '';
    let begins = false;
    let usage: Usage | undefined;
    let last = '';
    unsent = 0;
    for (const decoded of decode(frame)) {
      const event = decoded.type === 'usage' ? asBilled(decoded, estimate) : decoded;
      if (event.type === 'response-error') throw new RefusedAnswer(event.refusal);
      begins ||= event.type === 'part-start' || event.type === 'response-end';
      ended ||= event.type === 'response-end';
      if (decoded.type === 'usage') usage = decoded.usage;
      collector?.add(event);
      for (const piece of encode(event)) {
        text += formatFrame(piece);
        if (piece.data !== DONE) last = piece.data;
        unsent++;
      }
    }
    const answer = ended && collector ? keeper?.(collector.response, last) : undefined;
    return {
      text,
      begins,
      closes: ended,
      ends: ended,
      ...(usage && { usage }),
      ...(answer && { answer }),
    };
  };
  const fail = (refusal: Refusal): string =>
    encode({ type: 'response-error', refusal, unsent: ended ? unsent : 0 })
      .map(formatFrame)
      .join('');
  return Object.assign(read, { fail, answerText }) satisfies FrameReader;
}

type UsageEvent = Extract<StreamEvent, { type: 'usage' }>;

function asBilled(decoded: UsageEvent, estimate: Estimator): UsageEvent {
  const usage = billedUsage(decoded.usage, estimate);
  return usage === decoded.usage ? decoded : { ...decoded, usage };
}
