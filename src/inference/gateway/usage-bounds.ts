import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { UsageBounds } from '../../translation/canonical/bound-usage.ts';
import type { Dialect } from '../../translation/protocols/dialect.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import { LEAST_OUTPUT } from '../../translation/protocols/responses/least-output.ts';
import { askedOutput } from '../admission/asked-output.ts';

export type Served = {
  dialect: Pick<Dialect, 'wire' | 'ceilings' | 'unaskedOutput'>;
  request: Pick<InferenceRequest, 'body' | 'prompts' | 'answers' | 'written' | 'texts' | 'outputRoom'>;
  /** The model that was asked for, and the one that answered. */
  entry: CatalogEntry;
  served: CatalogEntry;
  /** Who answered; undefined: nobody knows any more. */
  provider: Provider | undefined;
};

/**
 * The most that one request can have used: of the window for each prompt that is counted, and of the ceiling for each answer. A vendor may
 * have read each prompt in several `turns`.
 */
export function usageBounds(parts: Served, turns = 1): UsageBounds {
  const { request, served } = parts;
  const { model } = served;
  const answers = request.written ?? request.answers ?? request.prompts ?? request.texts ?? 1;
  const input = model.contextWindow * answers * turns;
  if (model.kind === 'embedding') return { input, output: 0, visible: 0 };
  const own = model.maxOutput ?? model.contextWindow;
  const ceiling = sentCeiling(parts, own);
  return {
    input,
    visible: ceiling * answers,
    output: (mayThinkBeyond(parts) ? Math.max(ceiling, own) : ceiling) * answers,
    together: model.maxOutput === null ? input : undefined,
  };
}

/** The most tokens of one answer that the upstream was asked for; the model's own bound where it was not told any. */
function sentCeiling({ dialect, request, entry, served }: Served, own: number): number {
  const { ceilings = [], unaskedOutput, wire } = dialect;
  // The dialect's own default is sent on its own wire alone.
  const unasked = served.targets.every(({ wires }) => wires.includes(wire)) ? unaskedOutput : undefined;
  const asked = askedOutput(request.body.value, ceilings) ?? unasked;
  if (asked === undefined) return own;
  const room = served === entry ? request.outputRoom : undefined;
  const ceiling = Math.min(asked, room ?? own);
  const isRaised = served.targets.some(({ wires }) => wires.includes('openai-responses'));
  return isRaised ? Math.max(ceiling, LEAST_OUTPUT) : ceiling;
}

/** Hosts of these wires differ in whether `max_tokens` counts the thinking; its newer name does, and so do all other wires. */
const VAGUE_WIRES = ['openai-chat', 'openai-completions'] as const;

function mayThinkBeyond({ served, provider }: Served): boolean {
  if (!served.model.capabilities.reasoning) return false;
  if (!provider) return true;
  const isVague = VAGUE_WIRES.some((wire) => provider.wires.includes(wire));
  return isVague && !provider.quirks.includes('max-completion-tokens-only');
}
