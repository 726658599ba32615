import { setPriority } from 'node:os';
import { isTooDeep } from '../../base/json/is-too-deep.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { discard } from '../../edge/http/discard.ts';
import { translateAnswer } from '../../inference/carriage/translate-answer.ts';
import { MAX_ENVELOPE_BYTES } from '../../inference/conversation/response-record.ts';
import { billedWithin } from '../../translation/canonical/bound-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type {
  LargeAnswerMessage,
  LargeAnswerOrder,
  LargeAnswerReply,
} from '../../translation/contract/large-answer.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { markReasoning } from '../../translation/protocols/responses/mark-reasoning.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import { textOfBytes } from '../../upstream/http-client/body-queue.ts';
import { createDialects, createGoogleDialects } from './create-dialects.ts';
import { createWires } from './create-wires.ts';

// The program of a thread that translates one large answer of an upstream for the client.
declare const self: Worker;

/**
 * The niceness of this thread. On Linux it applies to the calling thread only, so the event loop takes
 * precedence.
 */
const YIELDING = 5;
try {
  setPriority(0, YIELDING);
} catch {
  // The thread works without it.
}

const dialects = new Map(
  [...createDialects().map(({ dialect }) => dialect), ...Object.values(createGoogleDialects())].map(
    (dialect) => [dialect.upstreamPath + (dialect.variant ?? ''), dialect],
  ),
);
const wires = createWires();
const encoder = new TextEncoder();
const pieces: Uint8Array[] = [];

function estimatorOf({ estimate }: LargeAnswerOrder): Estimator {
  const { input, maxText, family, bounds } = estimate;
  return {
    input: () => input,
    text: (text) => Math.ceil(estimateText(text, family.vocabulary) * family.textFactor),
    ...(maxText !== undefined && { maxText }),
    ...(bounds && { billed: (usage: Usage) => billedWithin(usage, bounds) }),
  };
}

function readAnswer(text: string, order: LargeAnswerOrder): WholeAnswer {
  const { otherWire, from, value, request, canonical, createdAt, label } = order;
  const dialect = dialects.get(order.dialect)!;
  const estimate = estimatorOf(order);
  const body = knownBody('', value);
  if (from === undefined)
    return ((otherWire && dialect.otherWires?.[otherWire]) ?? dialect).patchAnswer(
      text,
      { ...label, estimate },
      { ...request, body, ...(canonical && { canonical }) },
    );
  const { id: responseId, recapKey, echo } = label;
  const head = { responseId, model: request.model, createdAt, request: canonical!, body, echo, recapKey };
  return translateAnswer(text, { dialect: dialect.codec!, codec: wires.get(from)!, head, estimate });
}

/** Joins and decodes the pieces. Each copy is discarded as soon as the next one exists. */
function takeText(): string {
  const bytes = Buffer.concat(pieces);
  for (const piece of pieces.splice(0)) discard(piece);
  const text = textOfBytes(bytes);
  discard(bytes);
  return text;
}

function replyTo(order: LargeAnswerOrder): LargeAnswerReply {
  try {
    const text = takeText();
    if (order.request.answerForm === undefined && isTooDeep(text))
      return { kind: 'broken', message: 'an answer that is nested too deep' };
    const wholeAnswer = readAnswer(order.mark === undefined ? text : markReasoning(text, order.mark), order);
    const { answer, usage, contentType } = wholeAnswer;
    const isKept = answer && Buffer.byteLength(answer.envelope) <= MAX_ENVELOPE_BYTES;
    return {
      kind: 'made',
      made: {
        bytes: encoder.encode(wholeAnswer.text),
        usage,
        ...(isKept && { answer }),
        ...(contentType && { contentType }),
      },
    };
  } catch (error) {
    if (!(error instanceof RefusedAnswer)) return { kind: 'broken', message: String(error) };
    const { code, details } = error.refusal;
    return { kind: 'refused', code, details: { ...details, cause: String(details.cause) } };
  }
}

self.onmessage = ({ data }: MessageEvent<LargeAnswerMessage>) => {
  if ('piece' in data) {
    pieces.push(data.piece);
    return;
  }
  const reply = replyTo(data.order);
  const transfer = reply.kind === 'made' ? [reply.made.bytes.buffer] : [];
  self.postMessage(reply, transfer);
};
