import { Field } from '../../../src/simulator/model/field.ts';
import { loadTokenizer } from '../../../src/simulator/model/tokenizer.ts';
import { WIRES } from '../../../src/simulator/serving/wires.ts';
import type { CallRecord } from './call-record.ts';
import { drawRequest, readMark } from './draw-request.ts';
import { sendByScript } from './send-by-script.ts';
import { servedBy } from './soak-models.ts';
import { UpstreamCall } from './upstream-call.ts';
import { type Received, writeAnswer } from './write-answer.ts';

// An upstream on every wire in its own process. It answers each request by its script, and records its output
// for each call when the call ends. It outlives the gateways that call it.
// `GET /records` returns the records, one for each line.

const seed = Number(process.argv[2]);
const tokenizer = await loadTokenizer();
const records: CallRecord[] = [];
/** Calls so far for each prompt of a request, by model. */
const arrivals = new Map<string, number>();
const VERSION_PREFIX = /^\/v1(?:beta)?(?=\/)/;
/** About how many tokens stand in one event, so that whole answers take as long as streams. */
const TOKENS_PER_EVENT = 5;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  development: false,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/records')
      return new Response(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const path = pathname.replace(VERSION_PREFIX, '');
    for (const wire of WIRES) {
      const found = wire.path.exec(path);
      if (found) return answer(request, { wire, query: searchParams, groups: found.groups ?? {} });
    }
    return new Response('', { status: 404 });
  },
  error: () => new Response('', { status: 500 }),
});
console.log(server.port);

type RoutedRequest = Pick<Received, 'wire' | 'query'> & { groups: Record<string, string | undefined> };

async function answer(request: Request, { wire, query, groups }: RoutedRequest): Promise<Response> {
  const text = await request.text();
  const { number, prompt } = readMark(text)!;
  const asked = drawRequest(seed, number);
  const script = asked.prompts[prompt]!;
  const body = new Field(JSON.parse(text));
  const model = decodeURIComponent(groups.model ?? body.at('model').text());
  const isFirst = arrive(`${model} ${number}.${prompt}`) === 1;
  const fault = script.fault?.every || isFirst ? script.fault : undefined;
  const reportsUsage = fault?.kind !== 'no-usage';
  const received = {
    wire,
    body,
    model,
    action: groups.action ?? '',
    query,
    asked,
    script,
    reportsUsage: reportsUsage,
  };
  const { answer, usage } = writeAnswer(received, tokenizer);
  const events = [...answer.events()];
  const shown = events.reduce((sum, { tokens }) => sum + tokens, 0);
  const known = { number, prompt, model: servedBy(model), wire: wire.id, isStream: answer.streamed };
  const call = new UpstreamCall(
    { ...known, fault: fault?.kind, usage, reportsUsage, hidden: usage.output - shown },
    request.signal,
    (record) => records.push(record),
  );
  const { pauseMs } = script;
  const writingMs = (pauseMs * usage.output) / TOKENS_PER_EVENT;
  return sendByScript({ wire, signal: request.signal, call, answer, events, writingMs, fault, pauseMs });
}

function arrive(prompt: string): number {
  const count = (arrivals.get(prompt) ?? 0) + 1;
  arrivals.set(prompt, count);
  return count;
}
