import type { JsonObject } from '../../base/json/json-body.ts';
import type { TextFamily } from '../../translation/canonical/estimator.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AnswerLabel } from '../../translation/contract/answer-label.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { LargeAnswerOrder } from '../../translation/contract/large-answer.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';

/** A request whose large answer a thread writes. */
export type LargeAnswerOrdering = {
  dialect: Dialect;
  otherWire?: Wire | undefined;
  request: InferenceRequest;
  label: AnswerLabel;
  /** The head and the wire of an answer that is translated. */
  translated: { head: ResponseHead; from: Wire } | undefined;
  mark: string | undefined;
};

/** The members that hold conversations, which no answer repeats. */
const CONVERSATION_MEMBERS = ['messages', 'input', 'contents'];
/**
 * The dialects whose answers depend on the request: one echoes the prompt, and one has a vector for each
 * input.
 */
const REPEATING_WIRES: ReadonlySet<Wire> = new Set<Wire>(['openai-completions', 'openai-embeddings']);

/** The family of an estimate that names no family. */
const DEFAULT_FAMILY: TextFamily = { vocabulary: 'o200k', textFactor: 1 };

/** Builds the order with everything about the request that a thread needs to write the answer. */
export function orderLargeAnswer(ordering: LargeAnswerOrdering): LargeAnswerOrder {
  const { dialect, request, translated, mark } = ordering;
  const { model, stream, keyId, answers, metered, answerForm } = request;
  const { estimate, nameModel: _, reportId: __, reportUnknown: ___, ...label } = ordering.label;
  const repeats = REPEATING_WIRES.has(dialect.wire);
  const canonical = translated ? translated.head.request : request.canonical;
  const { maxText, family: { vocabulary, textFactor } = DEFAULT_FAMILY } = estimate;
  const bounds = estimate.bounds?.();
  return {
    dialect: dialect.upstreamPath + (dialect.variant ?? ''),
    otherWire: ordering.otherWire,
    from: translated?.from,
    value: repeats ? request.body.value : withoutTurns(request.body.value),
    request: {
      model,
      stream,
      ...(answers !== undefined && { answers }),
      ...(keyId !== undefined && { keyId }),
      ...(metered && { metered }),
      ...(answerForm && { answerForm }),
    },
    canonical: canonical && (repeats ? canonical : withoutPrompt(canonical)),
    createdAt: translated?.head.createdAt ?? 0,
    label,
    mark,
    estimate: { input: estimate.input(), maxText, family: { vocabulary, textFactor }, bounds },
  };
}

function withoutTurns(value: JsonObject): JsonObject {
  const members = { ...value };
  for (const name of CONVERSATION_MEMBERS) delete members[name];
  return members;
}

const withoutPrompt = (request: CanonicalRequest): CanonicalRequest => ({
  ...request,
  system: [],
  turns: [],
});
