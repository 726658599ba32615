import { type EnvelopeStyle, errorEnvelope } from '../errors/envelope.ts';
import { Refusal } from '../errors/refusal.ts';
import type { EncodeTarget } from '../protocols/codec.ts';
import type { AnswerLabel, Carriage, Dialect, InferenceRequest } from '../protocols/dialect.ts';
import { formatFrame } from '../protocols/format-frame.ts';

export type SameWireParts = {
  dialect: Dialect;
  request: InferenceRequest;
  label: AnswerLabel;
  style: EnvelopeStyle;
};

/** A target that speaks the client's own protocol: bytes pass, with a patch. */
export const sameWire = (
  { dialect, request, label, style }: SameWireParts,
  target: EncodeTarget,
): Carriage | Refusal => {
  const body = dialect.patchRequest(request, target.upstreamModel, target);
  if (body instanceof Refusal) return body;
  return {
    wire: dialect.wire,
    path: dialect.upstreamPath,
    body,
    readAnswer: (text) => dialect.patchAnswer(text, label, request),
    closingFrame: dialect.closingFrame,
    frameReader: () => dialect.frameReader(request, label),
    failureText: (refusal) =>
      formatFrame({
        event: style === 'messages' ? 'error' : undefined,
        data: JSON.stringify(errorEnvelope(style, refusal)),
      }),
  };
};
