import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

/** The bounds of an answer that a model and its host set, whatever the request says. */
export type AnswerBounds = {
  /** The most tokens that the model reads at once. */
  window: number;
  /** The most tokens that it writes. */
  own: number;
  /** True if the host may count thinking outside the ceiling of the request. */
  thinksOutsideCeiling: boolean;
};

type Server = Pick<CatalogEntry, 'model'>;
type Host = Pick<Provider, 'wires' | 'quirks'>;

/**
 * Hosts of these wires differ in whether `max_tokens` includes thinking. Its newer name and all other wires
 * include it.
 */
const VAGUE_WIRES = ['openai-chat', 'openai-completions'] as const;
/** The quirks of hosts whose ceiling is known to include thinking. */
const INCLUDING = ['max-completion-tokens-only', 'thinking-in-ceiling'] as const;

/**
 * Returns the bounds of a model. `hosts`: the hosts that may answer. A host that is no longer known is
 * undefined.
 */
export const answerBounds = ({ model }: Server, hosts: readonly (Host | undefined)[]): AnswerBounds => ({
  window: model.contextWindow,
  own: model.maxOutput ?? model.contextWindow,
  thinksOutsideCeiling: model.capabilities.reasoning && hosts.some(countsThinkingOutsideCeiling),
});

/** Returns the bounds whichever target of these models answers. */
export function boundsOfServers(servers: readonly CatalogEntry[]): AnswerBounds {
  const bounds = servers.map((server) =>
    answerBounds(
      server,
      server.targets.map(({ provider }) => provider),
    ),
  );
  return {
    window: Math.max(...bounds.map(({ window }) => window)),
    own: Math.max(...bounds.map(({ own }) => own)),
    thinksOutsideCeiling: bounds.some(({ thinksOutsideCeiling }) => thinksOutsideCeiling),
  };
}

const countsThinkingOutsideCeiling = (host: Host | undefined): boolean =>
  host === undefined ||
  (VAGUE_WIRES.some((wire) => host.wires.includes(wire)) &&
    !INCLUDING.some((quirk) => host.quirks.includes(quirk)));
