import { wideLimits } from '../../support/wide-limits.ts';
import { ableModel } from '../../support/wire-models.ts';
import { UPSTREAM_KEY, wirePaths, wires } from '../fuzz-wires.ts';
import { providerId } from '../upstream/upstream-config.ts';

const TIMEOUTS = { header_timeout_s: 1, body_timeout_s: 1, idle_timeout_s: 1 };
const embedding = { kind: 'embedding', output_dimensions: 256, capabilities: undefined };

const isEmbedding = (wire: string): boolean => wire === 'openai-embeddings';

/** Returns the only model on a wire. */
export const edgeModel = (wire: string): string => `on-${wire}`;

export const edgeModels = {
  models: wires.filter((wire) => !isEmbedding(wire)).map(edgeModel),
  vectors: wires.filter(isEmbedding).map(edgeModel),
};

export const edgeConfig = (url: string) => ({
  simulator: { mode: 'off' },
  server: TIMEOUTS,
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: providerId(wire),
    wire,
    base_url: url + wirePaths[wire],
    api_key: UPSTREAM_KEY,
  })),
  catalog: {
    default: false,
    models: wires.map((wire) =>
      ableModel(
        edgeModel(wire),
        [{ provider: providerId(wire), model: providerId(wire) }],
        isEmbedding(wire) ? embedding : {},
      ),
    ),
  },
});
