import { AWS_FRAMING } from '../../src/simulator/model/aws-framing.ts';
import type { Json } from './call.ts';

/**
 * Usage as JSON text, so that it can have invalid values. A stream sends each report in its wire's place for
 * usage: the first as early as possible, the last as late as possible, and the others after the stop reason.
 */
export type Reports = readonly [string, ...string[]];

const SAID = 'one';
const MARK = '"<usage>"';
const at = (fields: object, usage: string): string => JSON.stringify(fields).replace(MARK, usage);
const mark = '<usage>';
const sse = (data: string) => `data: ${data}\n\n`;

const openai = (delta: (text: string) => object) => (reports: Reports) => {
  const chunk = (choices: object[], usage?: string) =>
    sse(at({ id: 'hidden', created: 1, choices, ...(usage && { usage: mark }) }, usage ?? ''));
  const choice = (text: string, finish_reason: string | null) => ({
    index: 0,
    ...delta(text),
    finish_reason,
  });
  const [first, ...later] = reports;
  return [
    chunk([choice(SAID, null)]),
    chunk([choice('', 'stop')], first),
    ...later.map((usage) => chunk([], usage)),
    'data: [DONE]\n\n',
  ];
};

function messagesStream([first, ...later]: Reports): string[] {
  const head = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', content: [] };
  const event = (type: string, fields: object, usage = '') =>
    `event: ${type}\n${sse(at({ type, ...fields }, usage))}`;
  const closings = later.length === 0 ? [first] : later;
  return [
    event('message_start', { message: { ...head, usage: mark } }, first),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: SAID } }),
    event('content_block_stop', { index: 0 }),
    ...closings.map((usage) =>
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: mark }, usage),
    ),
    event('message_stop', {}),
  ];
}

const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: SAID, annotations: [] }],
};
const response = (status: string, output: object[]) => ({
  id: 'resp_hidden',
  object: 'response',
  created_at: 1,
  model: 'hidden',
  status,
  output,
  usage: mark,
});

function responsesStream(reports: Reports): string[] {
  const event = (type: string, fields: object, usage = '') => sse(at({ type, ...fields }, usage));
  const last = reports.at(-1)!;
  return [
    ...reports
      .slice(0, -1)
      .map((usage) => event('response.in_progress', { response: response('in_progress', []) }, usage)),
    event('response.output_item.added', { output_index: 0, item: { ...item, content: [] } }),
    event('response.output_text.delta', { output_index: 0, content_index: 0, delta: SAID }),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', { response: response('completed', [item]) }, last),
  ];
}

const candidate = (text: string, rest = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...rest }],
  usageMetadata: mark,
});

function googleStream([first, ...later]: Reports): string[] {
  const chunks = later.map((usage, index) =>
    sse(at(index === 0 ? candidate('', { finishReason: 'STOP' }) : { usageMetadata: mark }, usage)),
  );
  const rest = later.length === 0 ? { finishReason: 'STOP' } : {};
  return [sse(at(candidate(SAID, rest), first)), ...chunks];
}

const steps = [{ type: 'model_output', content: [{ type: 'text', text: SAID }] }];
const interaction = (status: string, rest = {}) => ({
  id: 'v1_hidden',
  object: 'interaction',
  model: 'hidden',
  status,
  ...rest,
});

function interactionsStream(reports: Reports): string[] {
  const event = (type: string, fields: object, usage = '') => sse(at({ event_type: type, ...fields }, usage));
  const update = { interaction_id: 'v1_hidden', status: 'in_progress', usage: mark };
  return [
    event('interaction.created', { interaction: interaction('in_progress') }),
    event('step.start', { index: 0, step: { type: 'model_output' } }),
    event('step.delta', { index: 0, delta: { type: 'text', text: SAID } }),
    event('step.stop', { index: 0 }),
    ...reports.slice(0, -1).map((usage) => event('interaction.status_update', update, usage)),
    event(
      'interaction.completed',
      { interaction: interaction('completed', { usage: mark }) },
      reports.at(-1)!,
    ),
  ];
}

function bedrockStream(reports: Reports): Uint8Array[] {
  const encode = (name: string, data: string) => AWS_FRAMING.encode({ name, data, tokens: 0 });
  const metadata = reports.map((usage) => encode('metadata', at({ usage: mark }, usage)));
  return [
    encode('messageStart', '{"role":"assistant"}'),
    encode('contentBlockDelta', JSON.stringify({ contentBlockIndex: 0, delta: { text: SAID } })),
    encode('contentBlockStop', '{"contentBlockIndex":0}'),
    encode('messageStop', '{"stopReason":"end_turn"}'),
    ...metadata,
  ];
}

type Speech = {
  /** The part of a path that identifies the wire. */
  path: RegExp;
  stream(reports: Reports): (string | Uint8Array)[];
  whole: object;
};

const completion = (choice: object) => ({
  id: 'hidden',
  created: 1,
  choices: [{ index: 0, finish_reason: 'stop', ...choice }],
  usage: mark,
});

/** The same short answer on every wire. */
const speeches = {
  'openai-chat': {
    path: /chat\/completions$/,
    stream: openai((content) => ({ delta: { content } })),
    whole: completion({ message: { role: 'assistant', content: SAID } }),
  },
  'openai-completions': {
    path: /\/completions$/,
    stream: openai((text) => ({ text })),
    whole: completion({ text: SAID }),
  },
  'anthropic-messages': {
    path: /\/messages$/,
    stream: messagesStream,
    whole: {
      id: 'hidden',
      type: 'message',
      role: 'assistant',
      model: 'hidden',
      content: [{ type: 'text', text: SAID }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: mark,
    },
  },
  'openai-responses': {
    path: /\/responses$/,
    stream: responsesStream,
    whole: response('completed', [item]),
  },
  'google-generate': {
    path: /[gG]enerateContent$/,
    stream: googleStream,
    whole: candidate(SAID, { finishReason: 'STOP' }),
  },
  'google-interactions': {
    path: /\/interactions$/,
    stream: interactionsStream,
    whole: interaction('completed', { steps, usage: mark }),
  },
  'bedrock-converse': {
    path: /\/converse(-stream)?$/,
    stream: bedrockStream,
    whole: {
      output: { message: { role: 'assistant', content: [{ text: SAID }] } },
      stopReason: 'end_turn',
      usage: mark,
    },
  },
} satisfies Record<string, Speech>;

export type CountingWire = keyof typeof speeches;
export const countingWires = Object.keys(speeches) as CountingWire[];

/** Starts an upstream of every wire that reports the given usage. */
export function startCountingUpstream() {
  let reports: Reports = ['null'];
  const calls: { path: string; body: Json }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const body: Json = await request.json();
      calls.push({ path, body });
      const speech: Speech = Object.values(speeches).find((one) => one.path.test(path))!;
      if (body.stream !== true && !/stream/i.test(path))
        return new Response(at(speech.whole, reports.at(-1)!), {
          headers: { 'content-type': 'application/json' },
        });
      const pieces = speech.stream(reports).map((piece) => Buffer.from(piece as string));
      const isBinary = path.endsWith('/converse-stream');
      const type = isBinary ? AWS_FRAMING.contentType : 'text/event-stream';
      return new Response(Buffer.concat(pieces), { headers: { 'content-type': type } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    calls,
    counts: (first: string | object, ...later: (string | object)[]) => {
      const text = (report: string | object) =>
        typeof report === 'string' ? report : JSON.stringify(report);
      reports = [text(first), ...later.map(text)];
    },
    stop: () => server.stop(true),
  };
}
