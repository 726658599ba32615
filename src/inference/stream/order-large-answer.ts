import type { JsonObject } from '../../base/json/json-body.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AnswerLabel } from '../../translation/protocols/answer-label.ts';
import type { ResponseHead } from '../../translation/protocols/codec.ts';
import type { Dialect } from '../../translation/protocols/dialect.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import type { LargeAnswerOrder } from '../../translation/protocols/large-answer.ts';

export type LargeAnswerOrdering = {
  dialect: Dialect;
  request: InferenceRequest;
  label: AnswerLabel;
  /** Of an answer that is translated. */
  translated: { head: ResponseHead; from: Wire } | undefined;
  mark: string | undefined;
};

/** Conversations, which no answer repeats. */
const TURNS = ['messages', 'input'];
/** Answers in these dialects depend on what was asked: an echo of the prompt, and a vector for each input. */
const REPEATING: ReadonlySet<Wire> = new Set<Wire>(['openai-completions', 'openai-embeddings']);

/** For an estimate that goes by no family. */
const COMMONEST = { vocabulary: 'o200k', textFactor: 1 };

/** All that a thread needs to know of a request to write its answer. */
export function orderLargeAnswer(ordering: LargeAnswerOrdering): LargeAnswerOrder {
  const { dialect, request, translated, mark } = ordering;
  const { model, stream, answers } = request;
  const { estimate, ...label } = ordering.label;
  const repeats = REPEATING.has(dialect.wire);
  const canonical = translated ? translated.head.request : request.canonical;
  const { mostText, family: { vocabulary, textFactor } = COMMONEST } = estimate;
  const bounds = estimate.bounds?.();
  return {
    dialect: dialect.wire,
    from: translated?.from,
    value: repeats ? request.body.value : withoutTurns(request.body.value),
    request: { model, stream, ...(answers !== undefined && { answers }) },
    canonical: canonical && (repeats ? canonical : silent(canonical)),
    createdAt: translated?.head.createdAt ?? 0,
    label,
    mark,
    estimate: { input: estimate.input(), mostText, family: { vocabulary, textFactor }, bounds },
  };
}

function withoutTurns(value: JsonObject): JsonObject {
  const kept = { ...value };
  for (const name of TURNS) delete kept[name];
  return kept;
}

const silent = (request: CanonicalRequest): CanonicalRequest => ({ ...request, system: [], turns: [] });
