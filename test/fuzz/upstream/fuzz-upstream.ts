import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { fuzzKey, fuzzPath } from '../fuzz-dialects.ts';
import { type FuzzOptions, type FuzzReport, runInputs } from '../fuzz-report.ts';
import { wires } from '../fuzz-wires.ts';
import { serverProblems } from '../server-problems.ts';
import { answerProblems } from './answer-problems.ts';
import { BaseAnswers } from './base-answers.ts';
import { breakAnswer } from './break-answer.ts';
import { leaksIn, outcomeOf } from './judge-answer.ts';
import { type Script, startScriptedUpstream, type UpstreamRequest } from './scripted-upstream.ts';
import { providerId, upstreamConfig } from './upstream-config.ts';
import { describePlan, drawPlan, inputOfBody, planBody, type UpstreamPlan } from './upstream-plan.ts';

const WORKERS = 12;
/** The upstreams claim to have used a lot, so the credits of one account do not last for all. */
const INPUTS_PER_ACCOUNT = 2_000;
const MAX_FINDINGS = 20;
/** The longest time for any answer. The upstream's own timeouts are far shorter. */
const HANGS_AFTER_MS = 15_000;

/** Sends requests on every wire to an upstream whose answers are broken in every way. */
export async function fuzzUpstream(options: FuzzOptions): Promise<FuzzReport> {
  const plans = new Map<number, UpstreamPlan>();
  const base = new BaseAnswers();
  const upstream = startScriptedUpstream((request) => sendBroken(request, plans, base));
  const server = await startServer({ config: upstreamConfig(upstream.url) });
  const report: FuzzReport = { inputs: 0, perSecond: 0, outcomes: {}, findings: [], afterwards: [] };
  try {
    let { key } = await server.createKey('enterprise');
    const startedAt = performance.now();
    const tryInput = async (input: number): Promise<void> => {
      if (input % INPUTS_PER_ACCOUNT === INPUTS_PER_ACCOUNT - 1)
        ({ key } = await server.createKey('enterprise'));
      const plan = drawPlan(options.seed, input);
      plans.set(input, plan);
      const { outcome, problems } = await tryPlan(server, { plan, key, input, port: upstream.port });
      plans.delete(input);
      report.inputs++;
      if (outcome) countUp(report.outcomes, outcome);
      for (const problem of problems) report.findings.push({ input, problem, about: describePlan(plan) });
    };
    const isOver = () => report.findings.length >= MAX_FINDINGS || server.hasEnded();
    await runInputs(options, WORKERS, tryInput, isOver);
    report.perSecond = Math.round((report.inputs / (performance.now() - startedAt)) * 1_000);
    report.afterwards = await serverProblems(server, wires.map(providerId));
  } finally {
    await server.stop();
    upstream.stop();
  }
  return report;
}

async function sendBroken(
  request: UpstreamRequest,
  plans: ReadonlyMap<number, UpstreamPlan>,
  base: BaseAnswers,
): Promise<Script> {
  const plan = plans.get(inputOfBody(request.body) ?? -1);
  if (!plan) return { pieces: [], ending: 'close' }; // its client has got an answer
  // The numbers of models do not matter.
  const path = request.path.replace(/-\d+(?=:|\/|$)/, '');
  const script = breakAnswer(await base.answer(`${plan.kind} ${path}`, request), plan);
  plan.scripts.push(script);
  return script;
}

type Trial = { plan: UpstreamPlan; key: string; input: number; port: number };

async function tryPlan(
  server: TestServer,
  { plan, key, input, port }: Trial,
): Promise<{ outcome?: string; problems: string[] }> {
  try {
    const answer = await server.call(fuzzPath(plan.dialect, plan.model, plan), {
      headers: fuzzKey(plan.dialect, key),
      body: planBody(plan, input),
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const problems = [...answerProblems({ ...plan, showsUsage: true }, answer), ...leaksIn(answer, port)];
    return { outcome: outcomeOf(answer, plan), problems };
  } catch (error) {
    return { problems: [`no whole answer: ${error}`] };
  }
}
