import { type EnvelopeStyle, errorEnvelope } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { outgoingForm } from '../../base/forms/outgoing-form.ts';
import { lossCodesOf } from '../../translation/canonical/loss.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AnswerLabel } from '../../translation/contract/answer-label.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { EncodeTarget } from '../../translation/contract/encode-target.ts';
import type { FrameReader } from '../../translation/contract/frame-reader.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';
import { NO_LOSSES } from './join-losses.ts';

/** A request on its own protocol, with the names under which its client gets the answer. */
export type PassedRequest = {
  dialect: Dialect;
  /** The wire of another form that takes the request. The default is the dialect's own. */
  otherWire?: Wire | undefined;
  request: InferenceRequest;
  label: AnswerLabel;
  style: EnvelopeStyle;
};

/** Returns the text that ends a failed stream, before its first frame or in the reader's current state. */
export const failureText = (
  { dialect, request, label, style }: PassedRequest,
  refusal: Refusal,
  reader = dialect.frameReader(request, label),
): string =>
  reader.fail?.(refusal) ??
  formatFrame({
    event: style === 'messages' ? 'error' : undefined,
    data: JSON.stringify(errorEnvelope(style, refusal)),
  });

/**
 * Builds the carriage for a target that takes the request without decoding it. On its own wire the bytes pass
 * through with a patch.
 */
export function sameWireCarriage(passed: PassedRequest, target: EncodeTarget): Carriage | Refusal {
  const { dialect, otherWire, request, label } = passed;
  const otherForm = otherWire && dialect.otherWires?.[otherWire];
  const { patchRequest, patchAnswer } = otherForm ?? dialect;
  const patched = patchRequest(request, target.upstreamModel, target);
  if (patched instanceof Refusal) return patched;
  const {
    answerForm,
    body: { form },
  } = request;
  const isText = typeof patched === 'string';
  const text = isText ? patched : patched.body;
  let reader: FrameReader | undefined;
  return {
    wire: otherWire ?? dialect.wire,
    path: (otherForm ?? dialect).path?.(target) ?? dialect.upstreamPath,
    body: form ? '' : text,
    streamed: form && outgoingForm(form, { model: target.upstreamModel }, newBoundary()),
    isOwnProtocol: !otherForm,
    losses: isText ? NO_LOSSES : lossCodesOf(patched),
    answerForm,
    mayBeAbsent: dialect.goesToOwnEndpoint !== undefined,
    takesWholeAnswers: dialect.takesWholeAnswers,
    ...(answerForm === 'bytes' && {
      bytesReader: (type: string) => dialect.bytesReader!(request, label, type),
    }),
    readAnswer: (text) => patchAnswer(text, label, request),
    closingFrame: dialect.closingFrame,
    frameReader() {
      reader = dialect.frameReader(request, label);
      return reader;
    },
    failureText: (refusal) => failureText(passed, refusal, reader),
  };
}

/** Random, so that no client can write it into a file. */
const newBoundary = (): string => `form-${crypto.randomUUID()}`;
