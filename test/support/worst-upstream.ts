import type { Json } from './call.ts';

/** What an upstream bills for one request. */
export type WorstBill = { input: number; output: number; compacted: { input: number; output: number } };

export type WorstVendor = {
  /** The most that the models write. */
  own: number;
  /** The tokens of a call if the vendor has no limit for them, and the calls if it has none. */
  tokens: number;
  calls: number;
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map((one) => textOf(one)).join('') : '';

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
  body.inferenceConfig?.maxTokens;

/** The types of tools that the vendor runs. */
const HOSTED = /^(web_|code_|advisor|image_generation)/;

/** The tokens of each call that the request allows, the largest first. */
function callsOf(body: Json, { tokens, calls }: WorstVendor): number[] {
  const added = (body.messages ?? [])
    .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
    .flatMap(({ tool }: Json) => tool?.definition ?? []);
  const tools = [...(body.tools ?? []), ...added].filter(({ type }: Json) => HOSTED.test(type ?? ''));
  if (body.max_tool_calls !== undefined && tools.length > 0)
    return new Array(body.max_tool_calls).fill(tokens);
  const always = body.web_search_options === undefined ? [] : new Array(calls).fill(tokens);
  return tools
    .flatMap((tool: Json) => new Array(tool.max_uses ?? calls).fill(tool.max_content_tokens ?? tokens))
    .concat(always)
    .sort((one: number, other: number) => other - one);
}

/** The worst that the limits of the request allow. `isVague`: thinking counts beside the ceiling. */
export function worstBill(body: Json, vendor: WorstVendor, isVague: boolean): WorstBill {
  const ofFallbacks = (body.fallbacks ?? []).map(({ max_tokens }: Json) => max_tokens ?? 0);
  const output =
    (isVague ? vendor.own : Math.max(ceilingOf(body) ?? vendor.own, ...ofFallbacks)) * (body.n ?? 1);
  let context = promptOf(body);
  let input = context;
  let turns = 1;
  for (const tokens of callsOf(body, vendor)) {
    context += tokens + (turns === 1 ? output : 0);
    input += context;
    turns++;
  }
  const management = body.context_management;
  const isCompacted = management != null && JSON.stringify(management).includes('compact');
  const compacted = isCompacted ? { input, output: vendor.own * turns } : { input: 0, output: 0 };
  return { input, output, compacted };
}

const message = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', stop_sequence: null };
const item = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'one', annotations: [] }],
};

type Wire = { path: RegExp; answer(bill: WorstBill, body: Json): Json };

export const worstWires = {
  'openai-chat': {
    path: /chat\/completions$/,
    answer: ({ input, output }, { n = 1 }) => ({
      ...{ id: 'hidden', created: 1 },
      choices: Array.from({ length: n }, (_, index) => ({
        ...{ index, finish_reason: 'stop', message: { role: 'assistant', content: 'one' } },
      })),
      usage: {
        ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
        completion_tokens_details: { reasoning_tokens: output - 1 },
      },
    }),
  },
  'anthropic-messages': {
    path: /\/messages$/,
    answer: ({ input, output, compacted }) => ({
      ...message,
      ...{ content: [{ type: 'text', text: 'one' }], stop_reason: 'end_turn' },
      usage: {
        ...{ input_tokens: input, output_tokens: output },
        ...(compacted.input > 0 && {
          iterations: [
            { type: 'compaction', input_tokens: compacted.input, output_tokens: compacted.output },
            { type: 'message', input_tokens: input, output_tokens: output },
          ],
        }),
      },
    }),
  },
  'openai-responses': {
    path: /\/responses$/,
    answer: ({ input, output }) => ({
      ...{ id: 'resp_hidden', object: 'response', created_at: 1, model: 'hidden', status: 'completed' },
      ...{ output: [item] },
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    }),
  },
  'google-generate': {
    path: /[gG]enerateContent$/,
    answer: ({ input, output }) => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'one' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
      },
    }),
  },
  'bedrock-converse': {
    path: /\/converse$/,
    answer: ({ input, output }) => ({
      output: { message: { role: 'assistant', content: [{ text: 'one' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    }),
  },
} satisfies Record<string, Wire>;

export type WorstWire = keyof typeof worstWires;

/** An upstream of all wires that bills the worst that the limits of each request allow. */
export function startWorstUpstream(vendor: WorstVendor) {
  const requests: Json[] = [];
  let bills: WorstBill[] = [];
  let excess = 1;
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = (await request.json()) as Json;
      const [wire, { answer }] = Object.entries(worstWires).find(([, { path }]) => path.test(pathname))!;
      const bill = worstBill(body, vendor, wire === 'openai-chat');
      requests.push(body);
      bills.push(bill);
      const told = { ...bill, input: bill.input * excess, output: bill.output * excess };
      return Response.json(answer(told, body));
    },
  });
  return {
    url: server.url.origin,
    requests,
    bills: () => bills,
    /** Reports this many times what the limits allow. */
    exceed(times: number) {
      excess = times;
    },
    forget() {
      bills = [];
      excess = 1;
      requests.length = 0;
    },
    stop: () => server.stop(true),
  };
}
