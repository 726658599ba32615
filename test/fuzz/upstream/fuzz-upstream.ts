import type { Answer, Json } from '../../support/call.ts';
import { HIDDEN } from '../../support/recording-upstream.ts';
import { startServer } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { Draw } from '../draw.ts';
import {
  type FuzzDialect,
  fuzzChats,
  fuzzDialects,
  fuzzKey,
  fuzzPath,
  type Scenario,
  scenarios,
} from '../fuzz-dialects.ts';
import { type FuzzOptions, type FuzzReport, runInputs } from '../fuzz-report.ts';
import { UPSTREAM_KEY, wirePaths, wires } from '../fuzz-wires.ts';
import { serverProblems } from '../server-problems.ts';
import { answerProblems } from './answer-problems.ts';
import { BaseAnswers } from './base-answers.ts';
import { breakAnswer } from './break-answer.ts';
import { type Script, startScriptedUpstream, type UpstreamRequest } from './scripted-upstream.ts';

/** Several models of each wire, because a target that fails repeatedly gets fewer requests. */
const MODELS_PER_WIRE = 24;
/** From this one on, a model has a second target on another wire. */
const FIRST_WITH_TWO_ROUTES = 16;

const WORKERS = 12;
const INPUTS_PER_ACCOUNT = 2_000;
const MAX_FINDINGS = 20;
/** The longest time for any answer. The upstream's own timeouts are far shorter. */
const HANGS_AFTER_MS = 15_000;
const TIMEOUTS = { connect_ms: 5_000, first_byte_ms: 700, idle_ms: 700, total_ms: 5_000 };
const providerOf = (wire: string): string => `${HIDDEN}-${wire}`;

type Plan = {
  dialect: FuzzDialect;
  scenario: Scenario;
  kind: string;
  model: string;
  stream: boolean;
  draw: Draw;
  /** One of its targets speaks the client's own protocol. */
  passes: boolean;
  scripts: Script[];
};

/** Sends requests on every wire to an upstream whose answers are broken in every way. */
export async function fuzzUpstream(options: FuzzOptions): Promise<FuzzReport> {
  const plans = new Map<number, Plan>();
  const base = new BaseAnswers();
  const upstream = startScriptedUpstream((request) => answerBadly(request, plans, base));
  const server = await startServer({ config: configOf(upstream.url) });
  const report: FuzzReport = {
    inputs: options.inputs,
    perSecond: 0,
    outcomes: {},
    findings: [],
    afterwards: [],
  };
  try {
    let { key } = await server.createKey('enterprise');
    const startedAt = performance.now();
    const tryInput = async (input: number): Promise<void> => {
      // Upstreams claim to have used a lot: one account's credits do not last for all.
      if (input % INPUTS_PER_ACCOUNT === 0) ({ key } = await server.createKey('enterprise'));
      const plan = planOf(options.seed, input);
      plans.set(input, plan);
      const problems = await problemsOf(server, { plan, key, input, port: upstream.port }, report.outcomes);
      plans.delete(input);
      for (const problem of problems) report.findings.push({ input, problem, about: described(plan) });
    };
    await runInputs(
      options,
      WORKERS,
      tryInput,
      () => report.findings.length >= MAX_FINDINGS || server.hasEnded(),
    );
    report.perSecond = Math.round((options.inputs / (performance.now() - startedAt)) * 1_000);
    report.afterwards = await serverProblems(server, wires.map(providerOf));
  } finally {
    await server.stop();
    upstream.stop();
  }
  return report;
}

const configOf = (url: string) => ({
  simulator: { mode: 'off' },
  limits: { usage_grace_s: 0.3 },
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: providerOf(wire),
    wire,
    base_url: url + wirePaths[wire],
    api_key: UPSTREAM_KEY,
    timeouts: TIMEOUTS,
  })),
  catalog: { default: false, models: wires.flatMap(modelsOf) },
});

function modelsOf(wire: string) {
  const kind =
    wire === 'openai-embeddings'
      ? { kind: 'embedding', output_dimensions: 256, capabilities: undefined }
      : {};
  const isChat = !/embeddings|completions/.test(wire);
  return Array.from({ length: MODELS_PER_WIRE }, (_, at) => {
    const route = (to: string) => ({ provider: providerOf(to), model: `${HIDDEN}-${to}-${at}` });
    const second = isChat && at >= FIRST_WITH_TWO_ROUTES ? [route(wires[at % 5]!)] : [];
    return ableModel(`on-${wire}-${at}`, [route(wire), ...second], kind);
  });
}

function planOf(seed: number, input: number): Plan {
  const draw = new Draw(seed, input);
  const dialect = draw.chance(0.08) ? draw.of(fuzzDialects) : draw.of(fuzzChats);
  const wire = draw.of(dialect.wires);
  const stream = dialect.name !== 'embeddings' && draw.chance(0.6);
  const at = draw.below(scenarios.length);
  const number = input % MODELS_PER_WIRE;
  const second = number >= FIRST_WITH_TWO_ROUTES ? wires[number % 5] : wire;
  return {
    dialect,
    stream,
    draw,
    scripts: [],
    model: `on-${wire}-${number}`,
    passes: dialect.wire === wire || dialect.wire === second,
    scenario: scenarios[at]!,
    kind: `${dialect.name} ${stream} ${at}`,
  };
}

const caseIn = /case-(\d+)/;

async function answerBadly(
  request: UpstreamRequest,
  plans: ReadonlyMap<number, Plan>,
  base: BaseAnswers,
): Promise<Script> {
  const plan = plans.get(Number(caseIn.exec(request.body)?.[1]));
  if (!plan) return { pieces: [], ending: 'close' }; // its client has got an answer
  const answer = await base.answer(`${plan.kind} ${request.path.replace(/-\d+(?=:|\/|$)/, '')}`, request);
  const script = breakAnswer(answer, plan);
  plan.scripts.push(script);
  return script;
}

const bodyOf = ({ dialect, scenario, model, stream }: Plan, input: number): Json => ({
  ...dialect.body(model, { ...scenario, prompt: `case-${input}\n${scenario.prompt}` }),
  ...(stream && dialect.name !== 'gemini' && { stream }),
  ...(stream &&
    dialect.style === 'openai' &&
    dialect.name !== 'responses' && { stream_options: { include_usage: true } }),
});

type Trial = { plan: Plan; key: string; input: number; port: number };
type Server = Awaited<ReturnType<typeof startServer>>;

async function problemsOf(
  server: Server,
  { plan, key, input, port }: Trial,
  outcomes: FuzzReport['outcomes'],
): Promise<string[]> {
  try {
    const answer = await server.call(fuzzPath(plan.dialect, plan.model, plan), {
      headers: fuzzKey(plan.dialect, key),
      body: bodyOf(plan, input),
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const outcome = outcomeOf(answer, plan);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return [
      ...answerProblems({ ...plan, showsUsage: true, isTranslated: !plan.passes }, answer),
      ...leaksIn(answer, port),
    ];
  } catch (error) {
    return [`no whole answer: ${error}`];
  }
}

function outcomeOf({ status, body, text }: Answer, { stream }: Plan): string {
  if (status !== 200) return `${status} ${body?.error?.code}`;
  if (!stream) return 'whole';
  return /"error":\{|"type":"error"/.test(text.slice(text.trimEnd().lastIndexOf('\n\n')))
    ? 'stream, then an error'
    : 'stream';
}

/**
 * An answer's text is the model's.
 * Text about the upstream itself and the upstream's key must not reach a client.
 */
function leaksIn({ status, text, headers }: Answer, port: number): string[] {
  const shown = [...headers].flat().join('\n');
  const all = `${text}\n${shown}`;
  return [
    ...(all.includes(UPSTREAM_KEY) ? ["the upstream's key"] : []),
    ...(all.includes(`127.0.0.1:${port}`) ? ["the upstream's address"] : []),
    ...((status === 200 ? shown : all).toLowerCase().includes(HIDDEN)
      ? [`the upstream's words: ${all.slice(0, 400)}`]
      : []),
  ];
}

const described = ({ kind, model, scripts }: Plan) => ({
  kind,
  model,
  scripts: scripts.map(({ pieces, ending }) => ({
    ending,
    bytes: Buffer.concat(pieces).toString('latin1').slice(0, 6_000),
  })),
});
