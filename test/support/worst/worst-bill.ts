import type { Json } from '../call.ts';

/** Additional work: a compaction, an advisor or a fallback, with the model that did it. */
export type OtherWork = { type: string; model: string | undefined; input: number; output: number };

/** The tokens that an upstream bills for one request. `input` and `output` are the answer's own. */
export type WorstBill = {
  input: number;
  output: number;
  otherWork: OtherWork[];
  searches: number;
  isFast: boolean;
};

export type WorstVendor = {
  /** The most tokens that its models write. */
  maxOutput: number;
  /** The tokens that a call returns, if the request has no limit for them. */
  callTokens: number;
  /** The number of calls, if the request has no limit for them. */
  calls: number;
};

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((one) => textOf(one)).join('') : '';
}

const promptOf = ({ messages, input, contents }: Json): number =>
  Buffer.byteLength(
    typeof input === 'string'
      ? input
      : [...(messages ?? []), ...(contents ?? []), ...(input ?? [])]
          .flatMap(({ content, parts }: Json) => content ?? parts)
          .map((part: Json | string) => textOf(typeof part === 'string' ? part : part?.text))
          .join(''),
  );

const ceilingOf = (body: Json): number | undefined =>
  body.max_completion_tokens ??
  body.max_tokens ??
  body.max_output_tokens ??
  body.generationConfig?.maxOutputTokens ??
  body.generation_config?.max_output_tokens ??
  body.inferenceConfig?.maxTokens;

/** The types of tools that the vendor runs. */
const HOSTED = /^(web_|code_|advisor|image_generation)/;

/** A call of a hosted tool. `tokens` are what it returns to the model. */
type Call = { tokens: number; isSearch: boolean; advisor: string | undefined };

/** Returns the calls that the request allows, the largest first. */
function callsOf(body: Json, { callTokens, calls, maxOutput }: WorstVendor): Call[] {
  const added = (body.messages ?? [])
    .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
    .flatMap(({ tool }: Json) => tool?.definition ?? []);
  const tools = [...(body.tools ?? []), ...added].filter(({ type }: Json) => HOSTED.test(type ?? ''));
  const usual = { tokens: callTokens, isSearch: true, advisor: undefined };
  if (body.max_tool_calls !== undefined && tools.length > 0)
    return new Array(body.max_tool_calls).fill(usual);
  // The fee of these is for the request, however often the vendor searches.
  const unpaid = { ...usual, isSearch: false };
  const always = body.web_search_options === undefined ? [] : [usual, ...new Array(calls - 1).fill(unpaid)];
  const callOf = (tool: Json): Call => {
    const isAdvisor = tool.type.startsWith('advisor');
    return {
      tokens: isAdvisor
        ? Math.min(maxOutput, tool.max_tokens ?? maxOutput)
        : (tool.max_content_tokens ?? callTokens),
      isSearch: tool.type.startsWith('web_search'),
      advisor: isAdvisor ? tool.model : undefined,
    };
  };
  return tools
    .flatMap((tool: Json) => new Array(tool.max_uses ?? calls).fill(callOf(tool)))
    .concat(always)
    .sort((one: Call, other: Call) => other.tokens - one.tokens);
}

type Attempt = { model: string; output: number };

/** Counts the tokens of one model that makes these calls, with a compaction of each kind in each turn. */
function turnsOf(body: Json, { output, model }: Attempt, vendor: WorstVendor) {
  const compacts = (edit: Json) => edit.type?.startsWith('compact');
  const edits = body.context_management?.edits ?? body.context_management ?? [];
  const compactions = edits.filter(compacts).length;
  const otherWork: OtherWork[] = [];
  let context = promptOf(body);
  let input = 0;
  const read = () => {
    input += context;
    const compaction = { type: 'compaction', model, input: context, output: vendor.maxOutput };
    otherWork.push(...new Array(compactions).fill(compaction));
  };
  read();
  for (const [index, { tokens }] of callsOf(body, vendor).entries()) {
    context += tokens + (index === 0 ? output : 0);
    read();
  }
  return { input, context, otherWork };
}

/**
 * Computes the worst bill that the limits of the request allow. If `isVague` is true, thinking is not limited
 * by the ceiling.
 */
export function worstBill(body: Json, vendor: WorstVendor, { isVague }: { isVague: boolean }): WorstBill {
  const { fallbacks = [], model = '', n = 1 } = body;
  const ceiling = Math.min(ceilingOf(body) ?? vendor.maxOutput, vendor.maxOutput);
  const output = isVague ? vendor.maxOutput : ceiling;
  const own = turnsOf(body, { model, output }, vendor);
  const contexts = [own.context];
  const otherWork = [...own.otherWork];
  for (const { model: other, max_tokens } of fallbacks) {
    const attempt = { model: other, output: Math.min(max_tokens ?? ceiling, vendor.maxOutput) };
    const { input, context, otherWork: more } = turnsOf(body, attempt, vendor);
    otherWork.push(...more, { type: 'fallback_message', model: other, input, output: attempt.output });
    contexts.push(context);
  }
  const calls = callsOf(body, vendor);
  for (const { advisor, tokens } of calls)
    if (advisor !== undefined)
      otherWork.push({
        type: 'advisor_message',
        model: advisor,
        input: Math.max(...contexts),
        output: tokens,
      });
  return {
    input: own.input,
    output: output * n,
    otherWork,
    searches: calls.filter(({ isSearch }) => isSearch).length,
    isFast: [body, ...fallbacks].some(({ speed }) => speed === 'fast'),
  };
}
