import { type EnvelopeStyle, errorEnvelope } from '../errors/envelope.ts';
import type { AnswerLabel, Carriage, Dialect, InferenceRequest } from '../protocols/dialect.ts';
import { formatFrame } from '../protocols/format-frame.ts';
import type { Target } from '../providers/target.ts';

export type SameWireParts = {
  dialect: Dialect;
  request: InferenceRequest;
  label: AnswerLabel;
  style: EnvelopeStyle;
};

/** A target that speaks the client's own protocol: bytes pass, with a patch. */
export const sameWire = (
  { dialect, request, label, style }: SameWireParts,
  { upstreamModel }: Target,
): Carriage => ({
  wire: dialect.wire,
  path: dialect.upstreamPath,
  body: dialect.patchRequest(request, upstreamModel),
  readAnswer: (text) => dialect.patchAnswer(text, label),
  closingFrame: dialect.closingFrame,
  frameReader: () => dialect.frameReader(request, label),
  failureText: (refusal) =>
    formatFrame({
      event: style === 'messages' ? 'error' : undefined,
      data: JSON.stringify(errorEnvelope(style, refusal)),
    }),
});
