import type { Json } from './call.ts';

/** Work beside the answer: a compaction, an advisor or a fallback, with the model that did it. */
export type WorkBeside = { type: string; model: string | undefined; input: number; output: number };

/** The tokens that an upstream bills for one request. `input` and `output` are the answer's own. */
export type WorstBill = {
  input: number;
  output: number;
  beside: WorkBeside[];
  searches: number;
  isFast: boolean;
};

export type WorstVendor = {
  /** The most that the models write. */
  own: number;
  /** The tokens of a call and the calls, if the vendor has no limit for them. */
  tokens: number;
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

/** `tokens`: what the call returns to the model. */
type Call = { tokens: number; isSearch: boolean; advisor: string | undefined };

/** Returns the calls that the request allows, the largest first. */
function callsOf(body: Json, { tokens, calls, own }: WorstVendor): Call[] {
  const added = (body.messages ?? [])
    .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
    .flatMap(({ tool }: Json) => tool?.definition ?? []);
  const tools = [...(body.tools ?? []), ...added].filter(({ type }: Json) => HOSTED.test(type ?? ''));
  const usual = { tokens, isSearch: true, advisor: undefined };
  if (body.max_tool_calls !== undefined && tools.length > 0)
    return new Array(body.max_tool_calls).fill(usual);
  // The fee of these is for the request, however often the vendor searches.
  const unpaid = { ...usual, isSearch: false };
  const always = body.web_search_options === undefined ? [] : [usual, ...new Array(calls - 1).fill(unpaid)];
  const callOf = (tool: Json): Call => {
    const isAdvisor = tool.type.startsWith('advisor');
    return {
      tokens: isAdvisor ? Math.min(own, tool.max_tokens ?? own) : (tool.max_content_tokens ?? tokens),
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

/**
 * The tokens that one model reads and writes if it makes these calls, with a compaction of each kind in each
 * turn.
 */
function turnsOf(body: Json, { output, model }: Attempt, vendor: WorstVendor) {
  const compacts = (edit: Json) => edit.type?.startsWith('compact');
  const edits = body.context_management?.edits ?? body.context_management ?? [];
  const compactions = edits.filter(compacts).length;
  const beside: WorkBeside[] = [];
  let context = promptOf(body);
  let input = 0;
  const read = () => {
    input += context;
    const compaction = { type: 'compaction', model, input: context, output: vendor.own };
    beside.push(...new Array(compactions).fill(compaction));
  };
  read();
  for (const [index, { tokens }] of callsOf(body, vendor).entries()) {
    context += tokens + (index === 0 ? output : 0);
    read();
  }
  return { input, context, beside };
}

/**
 * Computes the worst bill that the limits of the request allow. `isVague`: thinking counts beside the
 * ceiling.
 */
export function worstBill(body: Json, vendor: WorstVendor, { isVague }: { isVague: boolean }): WorstBill {
  const { fallbacks = [], model = '', n = 1 } = body;
  const ceiling = Math.min(ceilingOf(body) ?? vendor.own, vendor.own);
  const output = isVague ? vendor.own : ceiling;
  const own = turnsOf(body, { model, output }, vendor);
  const contexts = [own.context];
  const beside = [...own.beside];
  for (const { model: other, max_tokens } of fallbacks) {
    const attempt = { model: other, output: Math.min(max_tokens ?? ceiling, vendor.own) };
    const { input, context, beside: more } = turnsOf(body, attempt, vendor);
    beside.push(...more, { type: 'fallback_message', model: other, input, output: attempt.output });
    contexts.push(context);
  }
  const calls = callsOf(body, vendor);
  for (const { advisor, tokens } of calls)
    if (advisor !== undefined)
      beside.push({ type: 'advisor_message', model: advisor, input: Math.max(...contexts), output: tokens });
  return {
    input: own.input,
    output: output * n,
    beside,
    searches: calls.filter(({ isSearch }) => isSearch).length,
    isFast: [body, ...fallbacks].some(({ speed }) => speed === 'fast'),
  };
}

const message = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', stop_sequence: null };
const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'one', annotations: [] }],
};

const searchItem = (index: number) => ({
  id: `ws_${index}`,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'one' },
});

const sent = (event: Json): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Writes the whole message as a stream, which reports its usage at the end. */
function messageStream({ content, stop_reason, usage, ...rest }: Json): string {
  const begun = {
    ...rest,
    content: [],
    stop_reason: null,
    usage: { ...usage, iterations: null, output_tokens: 1 },
  };
  const [{ text }] = content;
  return [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map(sent)
    .join('');
}

type Wire = { path: RegExp; answer(bill: WorstBill, body: Json): Json };

export const worstWires = {
  'openai-chat': {
    path: /chat\/completions$/,
    answer: ({ input, output }, { n = 1 }) => ({
      id: 'hidden',
      created: 1,
      choices: Array.from({ length: n }, (_, index) => ({
        index,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'one' },
      })),
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        completion_tokens_details: { reasoning_tokens: output - 1 },
      },
    }),
  },
  'anthropic-messages': {
    path: /\/messages$/,
    answer: ({ input, output, beside, searches, isFast }) => ({
      ...message,
      content: [{ type: 'text', text: 'one' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: input,
        output_tokens: output,
        ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
        ...(isFast && { speed: 'fast' }),
        ...(beside.length > 0 && {
          iterations: [
            ...beside.map(({ input: read, output: written, ...one }) => ({
              ...one,
              input_tokens: read,
              output_tokens: written,
            })),
            { type: 'message', input_tokens: input, output_tokens: output },
          ],
        }),
      },
    }),
  },
  'openai-responses': {
    path: /\/responses$/,
    answer: ({ input, output, searches }) => ({
      id: 'resp_hidden',
      object: 'response',
      created_at: 1,
      model: 'hidden',
      status: 'completed',
      output: [...Array.from({ length: searches }, (_, index) => searchItem(index)), item],
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
  'google-interactions': {
    path: /\/interactions$/,
    answer: ({ input, output }) => ({
      id: 'v1_hidden',
      object: 'interaction',
      status: 'completed',
      model: 'hidden',
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'one' }] }],
      usage: {
        total_input_tokens: input,
        total_output_tokens: output,
        total_tokens: input + output,
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

/**
 * An upstream of all wires that bills the worst that the limits of each request allow.
 * Of the wires only messages is streamed.
 */
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
      const bill = worstBill(body, vendor, { isVague: wire === 'openai-chat' });
      requests.push(body);
      bills.push(bill);
      const reported = { ...bill, input: bill.input * excess, output: bill.output * excess };
      const whole = answer(reported, body);
      if (body.stream !== true) return Response.json(whole);
      return new Response(messageStream(whole), { headers: { 'content-type': 'text/event-stream' } });
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
