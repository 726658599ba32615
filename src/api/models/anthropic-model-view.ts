import { instantOf } from '../../base/lib/instant-of.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { effortsOf } from '../../settings/catalog/efforts-of.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { AnthropicModel } from './model-schemas.ts';
import { stateView } from './model-view.ts';

const support = (supported: boolean) => ({ supported });

/** The lines that the vendor names. Models of other makers belong to none. */
const LINES = ['haiku', 'sonnet', 'opus', 'fable', 'mythos'];

const lineOf = ({ id, ownedBy }: Model): string | null =>
  ownedBy === 'anthropic' ? (LINES.find((line) => id.includes(line)) ?? null) : null;

/** The efforts that an entry always lists. */
const EFFORTS = ['low', 'medium', 'high', 'max'] as const;

/**
 * Returns the capabilities of a model through the gateway. Hosted tools depend on the route, so they are not
 * promised.
 */
function capabilitiesOf(entry: CatalogEntry) {
  const { reasoning, vision, documents, tools } = entry.model.capabilities;
  const efforts = effortsOf(entry);
  const takes = (effort: string) => support(efforts.includes(effort));
  return {
    batch: support(true),
    citations: support(false),
    code_execution: support(false),
    context_management: {
      supported: false,
      clear_thinking_20251015: null,
      clear_tool_uses_20250919: null,
      compact_20260112: null,
    },
    effort: {
      supported: efforts.length > 0,
      ...Object.fromEntries(EFFORTS.map((effort) => [effort, takes(effort)])),
      xhigh: takes('xhigh'),
    },
    image_input: support(vision),
    pdf_input: support(documents),
    server_tools: { supported: false, code_execution: support(false), web_search: support(false) },
    structured_outputs: support(tools),
    thinking: {
      supported: reasoning,
      types: {
        adaptive: support(reasoning),
        between_tools: support(reasoning && tools),
        disabled: support(true),
        enabled: support(reasoning && !isRefusedEverywhere(entry, 'thinking_budget')),
      },
    },
  };
}

/** Reports whether every target refuses a preference. The model's own list decides if it has no target. */
const isRefusedEverywhere = ({ model, targets }: CatalogEntry, preference: string): boolean =>
  targets.length > 0
    ? targets.every(({ refuses }) => refuses?.has(preference))
    : model.refuses.includes(preference);

const timeOf = (date: string): string => `${date}T00:00:00Z`;

type ModelLife = Pick<AnthropicModel, 'lifecycle' | 'deprecated_at' | 'retires_at'>;

/** Returns the stage of a model's life at a time. */
function lifeOf({ deprecatedAt, retiresAt }: Model, now: number): ModelLife {
  const isPast = (date: string | undefined) => date !== undefined && instantOf(date) <= now;
  const isDeprecated = isPast(deprecatedAt);
  const stage = isDeprecated ? 'deprecated' : 'active';
  return {
    lifecycle: isPast(retiresAt) ? 'retired' : stage,
    deprecated_at: deprecatedAt !== undefined && isDeprecated ? timeOf(deprecatedAt) : null,
    retires_at: retiresAt === undefined ? null : timeOf(retiresAt),
  };
}

/**
 * Shows a model entry in the form of the messages dialect, with every field that the official clients
 * require.
 */
export const anthropicModelView = (entry: CatalogEntry, now: number): AnthropicModel => {
  const { model } = entry;
  const { lifecycle, ...dates } = lifeOf(model, now);
  return {
    type: 'model',
    id: model.id,
    display_name: model.displayName,
    created_at: new Date(model.created * 1_000).toISOString().replace('.000Z', 'Z'),
    capabilities: capabilitiesOf(entry),
    lifecycle,
    line: lineOf(model),
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutput,
    ...dates,
    ...stateView(entry),
  };
};
