import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { Draw } from '../draw.ts';
import { type FuzzDialect, fuzzDialects, fuzzKey, fuzzPath, scenarios } from '../fuzz-dialects.ts';
import { type FuzzOptions, type FuzzReport, runInputs } from '../fuzz-report.ts';
import { wires } from '../fuzz-wires.ts';
import { serverProblems } from '../server-problems.ts';
import { providerId } from '../upstream/upstream-config.ts';
import { answersIn } from './answers-in.ts';
import { drawRequest } from './draw-request.ts';
import { edgeConfig, edgeModel, edgeModels } from './edge-config.ts';
import { exchangeRaw } from './exchange-raw.ts';
import { rawAnswerProblems } from './judge-raw-answer.ts';
import { startCannedUpstream } from './start-canned-upstream.ts';
import { randomBytes, writeRequest, writeWell } from './write-request.ts';

const WORKERS = 16;
const MAX_FINDINGS = 20;
/** Connections are closed far sooner: after an answer, or when the rest of a request does not arrive. */
const HANGS_AFTER_MS = 15_000;
/** The number of inputs between two requests of a bystander. */
const BYSTANDER_EVERY = 250;
const INPUTS_PER_ACCOUNT = 5_000;
/** Connections come from many addresses, so that ports do not run out while closed ones are waited for. */
const ADDRESSES = 200;

/** Sends valid and invalid requests over sockets to a server with healthy upstreams. */
export async function fuzzEdge(options: FuzzOptions): Promise<FuzzReport> {
  const upstream = startCannedUpstream();
  const server = await startServer({ config: edgeConfig(upstream.url) });
  const report: FuzzReport = { inputs: 0, perSecond: 0, outcomes: {}, findings: [], afterwards: [] };
  try {
    await warmUp(server);
    let { key } = await server.createKey('enterprise');
    const startedAt = performance.now();
    const tryInput = async (input: number): Promise<void> => {
      if (input % INPUTS_PER_ACCOUNT === INPUTS_PER_ACCOUNT - 1)
        ({ key } = await server.createKey('enterprise'));
      if (input % BYSTANDER_EVERY === 0) await expectService(server, key);
      const request = drawBytes(new Draw(options.seed, input), key);
      const { outcome, problems } = await tryRequest(request, { server, input, port: upstream.port });
      report.inputs++;
      if (outcome) countUp(report.outcomes, outcome);
      const about = Buffer.from(request.bytes.subarray(0, 6_000)).toString('latin1');
      for (const problem of problems) report.findings.push({ input, problem, about });
    };
    const isOver = () => report.findings.length >= MAX_FINDINGS || server.hasEnded();
    await runInputs(options, WORKERS, tryInput, isOver);
    report.perSecond = Math.round((report.inputs / (performance.now() - startedAt)) * 1_000);
    await expectService(server, key);
    report.afterwards = await serverProblems(server, wires.map(providerId));
  } finally {
    await server.stop();
    await upstream.stop();
  }
  return report;
}

/** Sends well-formed requests of every kind, whose answers are then given to all. */
async function warmUp(server: TestServer): Promise<void> {
  const { key } = await server.createKey('enterprise');
  for (const dialect of fuzzDialects)
    for (const wire of dialect.wires)
      for (const isStream of dialect.name === 'embeddings' ? [false] : [false, true])
        await expectAnswer(server, { key, dialect, wire, isStream });
}

const expectService = (server: TestServer, key: string): Promise<void> =>
  expectAnswer(server, { key, dialect: fuzzDialects[0]!, wire: 'openai-chat', isStream: false });

type AnswerableRequest = { key: string; dialect: FuzzDialect; wire: string; isStream: boolean };

async function expectAnswer(
  server: TestServer,
  { key, dialect, wire, isStream }: AnswerableRequest,
): Promise<void> {
  const model = edgeModel(wire);
  const path = fuzzPath(dialect, model, { isStream });
  const members = dialect.body(model, scenarios[0]!);
  const body = dialect.name === 'gemini' ? members : { ...members, stream: isStream };
  const { status, text } = await server.call(path, { headers: fuzzKey(dialect, key), body });
  if (status !== 200) throw new Error(`a request of ${model} to ${path} got ${status}: ${text}`);
}

/** The bytes of a request, which are sent in two pieces. */
type RawRequest = { bytes: Uint8Array; pieces: Uint8Array[]; method: string };

function drawBytes(draw: Draw, key: string): RawRequest {
  const isRequest = draw.chance(0.98);
  const request = isRequest ? drawRequest({ ...edgeModels, key }, draw) : undefined;
  const write = draw.chance(0.5) ? writeWell : writeRequest;
  const bytes = request ? write(request, draw) : randomBytes(draw);
  const cut = draw.chance(0.3) ? draw.below(bytes.length + 1) : bytes.length;
  const method = /^[A-Z]+/.exec(Buffer.from(bytes.subarray(0, 20)).toString('latin1'))?.[0] ?? '';
  return { bytes, method, pieces: [bytes.subarray(0, cut), bytes.subarray(cut)] };
}

type Trial = { server: TestServer; input: number; port: number };

async function tryRequest(
  { pieces, method }: RawRequest,
  { server, input, port }: Trial,
): Promise<{ outcome?: string; problems: string[] }> {
  const { received, isClosed, waitedMs } = await exchangeRaw(server.url, pieces, {
    limitMs: HANGS_AFTER_MS,
    from: `127.0.1.${1 + (input % ADDRESSES)}`,
  });
  if (!isClosed) {
    const waited = `${Math.round(waitedMs)} ms: ${received.slice(0, 300)}`;
    return { problems: [`the connection was still open after ${waited}`] };
  }
  const answers = answersIn(received, [method]);
  if (typeof answers === 'string') return { outcome: 'unreadable', problems: [answers] };
  const [first] = answers;
  const code = first?.headers.get('x-svc-error-code') ?? '';
  return {
    outcome: first === undefined ? 'closed' : `${first.status} ${code}`.trim(),
    problems: answers.flatMap((answer) => rawAnswerProblems(answer, method, port)),
  };
}
