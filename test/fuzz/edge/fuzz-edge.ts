import type { Json } from '../../support/call.ts';
import { HIDDEN } from '../../support/recording-upstream.ts';
import { startServer } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { Draw } from '../draw.ts';
import { envelopeProblems } from '../envelope-problems.ts';
import {
  type FuzzDialect,
  fuzzDialects,
  fuzzKey,
  fuzzPath,
  type Scenario,
  scenarios,
} from '../fuzz-dialects.ts';
import { type FuzzOptions, type FuzzReport, runInputs } from '../fuzz-report.ts';
import { UPSTREAM_KEY, wirePaths, wires } from '../fuzz-wires.ts';
import { serverProblems } from '../server-problems.ts';
import { answerProblems } from '../upstream/answer-problems.ts';
import { BaseAnswers } from '../upstream/base-answers.ts';
import { answersIn, type RawAnswer } from './answers-in.ts';
import { drawRequest, type Names } from './draw-request.ts';
import { exchangeRaw } from './exchange-raw.ts';
import { randomBytes, writeRequest, writeWell } from './write-request.ts';

const WORKERS = 16;
const MAX_FINDINGS = 20;
/** Connections are closed far sooner: after an answer, or when the rest of a request does not arrive. */
const HANGS_AFTER_MS = 15_000;
const TIMEOUTS = { header_timeout_s: 1, body_timeout_s: 1, idle_timeout_s: 1 };
/** The number of inputs between two requests of a bystander. */
const BLOCK = 250;
const INPUTS_PER_ACCOUNT = 5_000;
/** Connections come from many addresses, so that ports do not run out while closed ones are waited for. */
const ADDRESSES = 200;

const model = (wire: string): string => `on-${wire}`;
const isVectors = (wire: string): boolean => wire === 'openai-embeddings';
const names = {
  models: wires.filter((wire) => !isVectors(wire)).map(model),
  vectors: wires.filter(isVectors).map(model),
};

/** Sends valid and invalid requests over sockets to a server with healthy upstreams. */
export async function fuzzEdge(options: FuzzOptions): Promise<FuzzReport> {
  const upstream = startCannedUpstream();
  const server = await startServer({ config: configOf(upstream.url) });
  const report: FuzzReport = {
    inputs: options.inputs,
    perSecond: 0,
    outcomes: {},
    findings: [],
    afterwards: [],
  };
  const trial: Trial = { server, port: upstream.port, seed: options.seed, outcomes: report.outcomes };
  try {
    await warmUp(server);
    let { key } = await server.createKey('enterprise');
    const startedAt = performance.now();
    const tryInput = async (input: number): Promise<void> => {
      if (input % INPUTS_PER_ACCOUNT === 0) ({ key } = await server.createKey('enterprise'));
      if (input % BLOCK === 0) await expectService(server, key);
      const bytes = drawBytes({ ...names, key }, new Draw(options.seed, input));
      for (const problem of await problemsOf(bytes, input, trial))
        report.findings.push({
          input,
          problem,
          about: Buffer.from(bytes.bytes).toString('latin1').slice(0, 6_000),
        });
    };
    await runInputs(
      options,
      WORKERS,
      tryInput,
      () => report.findings.length >= MAX_FINDINGS || server.hasEnded(),
    );
    report.perSecond = Math.round((options.inputs / (performance.now() - startedAt)) * 1_000);
    await expectService(server, key);
    report.afterwards = await serverProblems(
      server,
      wires.map((wire) => `${HIDDEN}-${wire}`),
    );
  } finally {
    await server.stop();
    await upstream.stop();
  }
  return report;
}

type Server = Awaited<ReturnType<typeof startServer>>;
type Trial = { server: Server; port: number; seed: number; outcomes: FuzzReport['outcomes'] };

const configOf = (url: string) => ({
  simulator: { mode: 'off' },
  server: TIMEOUTS,
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: `${HIDDEN}-${wire}`,
    wire,
    base_url: url + wirePaths[wire],
    api_key: UPSTREAM_KEY,
  })),
  catalog: {
    default: false,
    models: wires.map((wire) =>
      ableModel(
        model(wire),
        [{ provider: `${HIDDEN}-${wire}`, model: `${HIDDEN}-${wire}` }],
        isVectors(wire) ? { kind: 'embedding', output_dimensions: 256, capabilities: undefined } : {},
      ),
    ),
  },
});

/** Repeats the first answer for requests of the same kind. */
function startCannedUpstream() {
  const base = new BaseAnswers();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      const body = await request.text();
      const { bytes, contentType } = await base.answer(`${path} ${/"stream": ?true/.test(body)}`, {
        path,
        body,
      });
      return new Response(Uint8Array.from(bytes), {
        headers: { 'content-type': contentType, server: HIDDEN },
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, port: server.port!, stop: () => server.stop(true) };
}

const plain: Scenario = scenarios[0]!;

/** Sends well-formed requests of every kind, whose answers are then given to all. */
async function warmUp(server: Server): Promise<void> {
  const { key } = await server.createKey('enterprise');
  for (const dialect of fuzzDialects)
    for (const wire of dialect.wires)
      for (const stream of dialect.name === 'embeddings' ? [false] : [false, true])
        await expectAnswer(server, { key, dialect, wire, stream });
}

const expectService = (server: Server, key: string): Promise<void> =>
  expectAnswer(server, {
    key,
    dialect: fuzzDialects[0]!,
    wire: 'openai-chat',
    stream: false,
  });

type AnswerableRequest = { key: string; dialect: FuzzDialect; wire: string; stream: boolean };

async function expectAnswer(
  server: Server,
  { key, dialect, wire, stream }: AnswerableRequest,
): Promise<void> {
  const path = fuzzPath(dialect, model(wire), { isStream: stream });
  const made = dialect.body(model(wire), plain);
  const body = dialect.name === 'gemini' ? made : { ...made, stream };
  const { status, text } = await server.call(path, { headers: fuzzKey(dialect, key), body });
  if (status !== 200) throw new Error(`a request of ${model(wire)} to ${path} got ${status}: ${text}`);
}

type Drawn = { bytes: Uint8Array; pieces: Uint8Array[]; method: string };

function drawBytes(drawnFrom: Names, draw: Draw): Drawn {
  const isRequest = draw.chance(0.98);
  const request = isRequest ? drawRequest(drawnFrom, draw) : undefined;
  const write = draw.chance(0.5) ? writeWell : writeRequest;
  const bytes = request ? write(request, draw) : randomBytes(draw);
  const cut = draw.chance(0.3) ? draw.below(bytes.length + 1) : bytes.length;
  const method = /^[A-Z]+/.exec(Buffer.from(bytes.subarray(0, 20)).toString('latin1'))?.[0] ?? '';
  return { bytes, method, pieces: [bytes.subarray(0, cut), bytes.subarray(cut)] };
}

async function problemsOf({ pieces, method }: Drawn, input: number, trial: Trial): Promise<string[]> {
  const { received, isClosed, waitedMs } = await exchangeRaw(trial.server.url, pieces, {
    limitMs: HANGS_AFTER_MS,
    from: `127.0.1.${1 + (input % ADDRESSES)}`,
  });
  if (!isClosed)
    return [`the connection was still open after ${Math.round(waitedMs)} ms: ${received.slice(0, 300)}`];
  const answers = answersIn(received, [method]);
  count(trial.outcomes, typeof answers === 'string' ? 'unreadable' : outcomeOf(answers[0]));
  if (typeof answers === 'string') return [answers];
  return answers.flatMap((answer) => [...oneProblems(answer, method), ...leaksIn(answer, trial.port)]);
}

const outcomeOf = (answer: RawAnswer | undefined): string =>
  answer === undefined ? 'closed' : `${answer.status} ${answer.headers.get('x-svc-error-code') ?? ''}`.trim();

const count = (outcomes: Record<string, number>, outcome: string): void => {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
};

const inferencePaths = new Map(fuzzDialects.map((dialect) => [dialect.name, dialect]));

/** Classifies an answer by its content. */
function dialectOf(body: Json, text: string): FuzzDialect | undefined {
  if (body?.object === 'response' || /^event: response\./.test(text)) return inferencePaths.get('responses');
  if (/"object":"chat\.completion/.test(text)) return inferencePaths.get('chat');
  if (/"type":"message(_start)?"/.test(text.slice(0, 400))) return inferencePaths.get('messages');
  if (/"(candidates|promptFeedback)":/.test(text)) return inferencePaths.get('gemini');
  return /"object":"text_completion/.test(text) ? inferencePaths.get('completions') : undefined;
}

function oneProblems({ status, headers, text }: RawAnswer, method: string): string[] {
  // The upstream does not understand every request; nothing else may fail.
  if (status >= 500 && text !== '' && !text.includes('upstream_unavailable'))
    return [`status ${status}: ${text.slice(0, 300)}`];
  if (method === 'HEAD' || status === 204 || status === 304) return [];
  if (status >= 400)
    return text === '' ? runtimeProblems(status, headers) : refusalProblems({ status, headers, text });
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const body = isStream ? undefined : parsed(text);
  const dialect = dialectOf(body, text);
  if (!dialect) return [];
  const asked = JSON.parse(`"${/"(?:model|modelVersion)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? ''}"`);
  return answerProblems(
    { dialect, model: asked, isStream, showsUsage: false, isTranslated: true },
    { status, headers, text, body },
  );
}

/** The runtime's own refusals have no body and end the connection. */
const runtimeProblems = (status: number, headers: Headers): string[] =>
  [400, 413, 431, 505].includes(status) && headers.get('connection')?.toLowerCase() === 'close'
    ? []
    : [`status ${status} without a body`];

/** The list of models has an error of its own for a model that it has not got. */
const isUnknownModel = ({ error }: Json): boolean =>
  error?.type === 'not_found' && Object.keys(error).join() === 'type,message';

function refusalProblems({ status, headers, text }: RawAnswer): string[] {
  const body = parsed(text);
  if (status === 404 && body && isUnknownModel(body)) return [];
  const style = Array.isArray(body?.error?.details) ? 'google' : 'openai';
  return envelopeProblems({ status, headers, text, body }, body?.type === 'error' ? 'messages' : style);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The pages of the documentation have words of their own. */
function leaksIn({ headers, text }: RawAnswer, port: number): string[] {
  const isPage =
    /^(text\/html|text\/markdown)/.test(headers.get('content-type') ?? '') || text.includes('"openapi":');
  const shown = [isPage ? '' : text, ...[...headers].flat()].join('\n').toLowerCase();
  return [HIDDEN, `:${port}`, UPSTREAM_KEY]
    .filter((word) => shown.includes(word))
    .map((word) => `a trace of the upstream: ${word}`);
}
