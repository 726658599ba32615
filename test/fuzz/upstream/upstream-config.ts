import { HIDDEN } from '../../support/recording-upstream.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { chatWires } from '../fuzz-dialects.ts';
import { UPSTREAM_KEY, wirePaths, wires } from '../fuzz-wires.ts';

/** Several models of each wire, because a target that fails repeatedly gets fewer requests. */
export const MODELS_PER_WIRE = 24;
/** Models from this number on have a second target, on another wire. */
const FIRST_WITH_TWO_ROUTES = 16;

const TIMEOUTS = { connect_ms: 5_000, first_byte_ms: 700, idle_ms: 700, total_ms: 5_000 };

export const modelId = (wire: string, number: number): string => `on-${wire}-${number}`;

export const providerId = (wire: string): string => `${HIDDEN}-${wire}`;

/** Returns another chat wire. The numbers of models select all of them in turn. */
function otherChatWire(wire: string, number: number): string {
  const others = chatWires.filter((other) => other !== wire);
  return others[number % others.length]!;
}

/** Returns the wires that a model's targets are on. */
export const wiresOfModel = (wire: string, number: number): readonly string[] =>
  chatWires.includes(wire) && number >= FIRST_WITH_TWO_ROUTES ? [wire, otherChatWire(wire, number)] : [wire];

/** The fields of models that take no messages. Such models have no capabilities. */
const embedding = { kind: 'embedding', output_dimensions: 256, capabilities: undefined };

export const upstreamConfig = (url: string) => ({
  simulator: { mode: 'off' },
  limits: { usage_grace_s: 0.3 },
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: providerId(wire),
    wire,
    base_url: url + wirePaths[wire],
    api_key: UPSTREAM_KEY,
    timeouts: TIMEOUTS,
  })),
  catalog: { default: false, models: wires.flatMap(modelsOn) },
});

const modelsOn = (wire: string) =>
  Array.from({ length: MODELS_PER_WIRE }, (_, number) => {
    const routes = wiresOfModel(wire, number).map((to) => ({
      provider: providerId(to),
      model: `${HIDDEN}-${to}-${number}`,
    }));
    return ableModel(modelId(wire, number), routes, wire === 'openai-embeddings' ? embedding : {});
  });
