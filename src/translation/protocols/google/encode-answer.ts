import type { CanonicalResponse, Stop } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { type AnswerPart, encodeAnswerPart, showsThoughts } from './encode-answer-part.ts';
import { encodeUsage } from './encode-usage.ts';
import { finishReason } from './finish-reason.ts';
import { SignatureCarrier } from './signature-carrier.ts';

/** The content of a chunk. A chunk with a stop is the last one, and also has the usage. */
export type GoogleChunk = {
  parts: readonly AnswerPart[];
  stop?: Stop | undefined;
  usage?: Usage | undefined;
  citations?: readonly Citation[];
};

/** Encodes a chunk of a stream, or a whole answer, which is one chunk. */
export function encodeChunk(
  { responseId, model }: ResponseHead,
  { parts, stop, usage, citations = [] }: GoogleChunk,
) {
  const sources = citations.flatMap(({ url, title }) =>
    url === undefined ? [] : [{ web: { uri: url, ...(title !== undefined && { title }) } }],
  );
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(stop && { finishReason: finishReason(stop) }),
        index: 0,
        ...(sources.length > 0 && { groundingMetadata: { groundingChunks: sources } }),
      },
    ],
    ...(stop && { usageMetadata: encodeUsage(usage) }),
    modelVersion: model,
    responseId,
  };
}

/** Encodes a whole answer. Thoughts are shown if the client asked for them. */
export function encodeResponse({ parts, stop, usage }: CanonicalResponse, head: ResponseHead): unknown {
  const isShown = showsThoughts(head.request);
  const carrier = new SignatureCarrier();
  const encoded = carrier.add(parts.flatMap((part) => encodeAnswerPart(part, isShown)));
  return encodeChunk(head, {
    parts: [...encoded, ...carrier.end()],
    stop,
    usage,
    citations: parts.flatMap((part) => (part.kind === 'text' ? (part.citations ?? []) : [])),
  });
}
