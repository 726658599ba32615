import { HIDDEN } from '../../support/recording-upstream.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { chatWires } from '../fuzz-dialects.ts';
import { UPSTREAM_KEY, wirePaths, wires } from '../fuzz-wires.ts';

/** Several models of each wire, because a target that fails repeatedly gets fewer requests. */
export const MODELS_PER_WIRE = 24;
/** From this one on, a model has a second target on another wire. */
const FIRST_WITH_TWO_ROUTES = 16;

const TIMEOUTS = { connect_ms: 5_000, first_byte_ms: 700, idle_ms: 700, total_ms: 5_000 };

export const fuzzModel = (wire: string, number: number): string => `on-${wire}-${number}`;

export const fuzzProvider = (wire: string): string => `${HIDDEN}-${wire}`;

/** Returns the wires that a model's targets are on. */
export const wiresOfModel = (wire: string, number: number): readonly string[] =>
  chatWires.includes(wire) && number >= FIRST_WITH_TWO_ROUTES
    ? [wire, chatWires[number % chatWires.length]!]
    : [wire];

export const upstreamConfig = (url: string) => ({
  simulator: { mode: 'off' },
  limits: { usage_grace_s: 0.3 },
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: fuzzProvider(wire),
    wire,
    base_url: url + wirePaths[wire],
    api_key: UPSTREAM_KEY,
    timeouts: TIMEOUTS,
  })),
  catalog: { default: false, models: wires.flatMap(modelsOn) },
});

const embedding = { kind: 'embedding', output_dimensions: 256, capabilities: undefined };

const modelsOn = (wire: string) =>
  Array.from({ length: MODELS_PER_WIRE }, (_, number) => {
    const routes = wiresOfModel(wire, number).map((to) => ({
      provider: fuzzProvider(to),
      model: `${HIDDEN}-${to}-${number}`,
    }));
    return ableModel(fuzzModel(wire, number), routes, wire === 'openai-embeddings' ? embedding : {});
  });
