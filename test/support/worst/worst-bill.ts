import { type WorstVendor, worstCalls } from './worst-calls.ts';
import { countCompactions, maxPromptTokens, outputCeilingOf, type WorstRequest } from './worst-request.ts';

/** Additional work: a compaction, an advisor or a fallback, with the model that did it. */
export type OtherWork = { type: string; model: string; input: number; output: number };

/** The tokens that an upstream bills for one request. */
export type WorstBill = {
  /** The tokens that the requested model reads. */
  input: number;
  /** The tokens of the answer. */
  output: number;
  otherWork: OtherWork[];
  searches: number;
  isFast: boolean;
};

type ModelRun = { model: string; output: number };

/** Returns the length of the context in each turn of a model that makes the worst calls. */
function contextsOf(request: WorstRequest, output: number, vendor: WorstVendor): number[] {
  let context = maxPromptTokens(request);
  return [
    context,
    ...worstCalls(request, vendor).map(({ tokens }, index) => {
      context += tokens + (index === 0 ? output : 0);
      return context;
    }),
  ];
}

/** Counts the tokens of one model in all turns. Each turn has a compaction of each kind. */
function worstRun(request: WorstRequest, { model, output }: ModelRun, vendor: WorstVendor) {
  const contexts = contextsOf(request, output, vendor);
  const compactions = contexts.flatMap((input): OtherWork[] =>
    new Array(countCompactions(request)).fill({ type: 'compaction', model, input, output: vendor.maxOutput }),
  );
  return {
    input: contexts.reduce((sum, context) => sum + context, 0),
    lastContext: contexts.at(-1)!,
    compactions,
  };
}

/**
 * Computes the worst bill that the limits of the request allow. If `thinksBeyondCeiling` is true, the ceiling
 * does not limit thinking.
 */
export function worstBill(
  request: WorstRequest,
  vendor: WorstVendor,
  { thinksBeyondCeiling }: { thinksBeyondCeiling: boolean },
): WorstBill {
  const { fallbacks = [], model = '', n = 1 } = request;
  const ceiling = Math.min(outputCeilingOf(request) ?? vendor.maxOutput, vendor.maxOutput);
  const output = thinksBeyondCeiling ? vendor.maxOutput : ceiling;
  const main = worstRun(request, { model, output }, vendor);
  const fallbackRuns = fallbacks.map((fallback) => {
    const fallbackOutput = Math.min(fallback.max_tokens ?? ceiling, vendor.maxOutput);
    const run = { model: fallback.model, output: fallbackOutput };
    return { ...run, ...worstRun(request, run, vendor) };
  });
  const calls = worstCalls(request, vendor);
  const longestContext = Math.max(...[main, ...fallbackRuns].map(({ lastContext }) => lastContext));
  return {
    input: main.input,
    output: output * n,
    otherWork: [
      ...main.compactions,
      ...fallbackRuns.flatMap(({ compactions, model, input, output }) => [
        ...compactions,
        { type: 'fallback_message', model, input, output },
      ]),
      ...calls.flatMap(({ advisor, tokens }) =>
        advisor === undefined
          ? []
          : { type: 'advisor_message', model: advisor, input: longestContext, output: tokens },
      ),
    ],
    searches: calls.filter(({ isSearch }) => isSearch).length,
    isFast: [request, ...fallbacks].some(({ speed }) => speed === 'fast'),
  };
}
