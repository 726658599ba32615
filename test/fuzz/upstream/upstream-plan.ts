import type { Json } from '../../support/call.ts';
import { Draw } from '../draw.ts';
import { type FuzzDialect, fuzzChats, fuzzDialects, type Scenario, scenarios } from '../fuzz-dialects.ts';
import type { Script } from './scripted-upstream.ts';
import { MODELS_PER_WIRE, modelId, wiresOfModel } from './upstream-config.ts';

/** A request, and how the upstream breaks its answers. */
export type UpstreamPlan = {
  dialect: FuzzDialect;
  scenario: Scenario;
  /** Requests of one kind have the same well-formed answer. */
  kind: string;
  model: string;
  isStream: boolean;
  draw: Draw;
  /** True if no target of the model is on the wire of the client's own protocol. */
  isTranslated: boolean;
  /** The answers that the upstream has sent so far. */
  scripts: Script[];
};

export function drawPlan(seed: number, input: number): UpstreamPlan {
  const draw = new Draw(seed, input);
  const dialect = draw.chance(0.08) ? draw.of(fuzzDialects) : draw.of(fuzzChats);
  const wire = draw.of(dialect.wires);
  const isStream = dialect.name !== 'embeddings' && draw.chance(0.6);
  const scenarioIndex = draw.below(scenarios.length);
  const number = input % MODELS_PER_WIRE;
  return {
    dialect,
    isStream,
    draw,
    scripts: [],
    model: modelId(wire, number),
    isTranslated: !wiresOfModel(wire, number).includes(dialect.wire),
    scenario: scenarios[scenarioIndex]!,
    kind: `${dialect.name} ${isStream} ${scenarioIndex}`,
  };
}

/** The prompt names the input, so that the upstream finds the plan of a request. */
export function planBody({ dialect, scenario, model, isStream }: UpstreamPlan, input: number): Json {
  const hasMember = isStream && dialect.name !== 'gemini';
  const hasOptions = isStream && dialect.style === 'openai' && dialect.name !== 'responses';
  return {
    ...dialect.body(model, { ...scenario, prompt: `case-${input}\n${scenario.prompt}` }),
    ...(hasMember && { stream: true }),
    ...(hasOptions && { stream_options: { include_usage: true } }),
  };
}

export function inputOfBody(body: string): number | undefined {
  const input = /case-(\d+)/.exec(body)?.[1];
  return input === undefined ? undefined : Number(input);
}

/** Describes a plan whose outcome breaks a promise. */
export const describePlan = ({ kind, model, scripts }: UpstreamPlan) => ({
  kind,
  model,
  scripts: scripts.map(({ pieces, ending }) => ({
    ending,
    bytes: Buffer.concat(pieces).toString('latin1').slice(0, 6_000),
  })),
});
