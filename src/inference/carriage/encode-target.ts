import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { thinksByBudget } from '../../settings/catalog/efforts-of.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { thinkingFieldOf } from '../../translation/canonical/quirk.ts';
import type { EncodeTarget } from '../../translation/contract/encode-target.ts';
import { EFFORTS_OF_BUDGETS } from '../../translation/encoding/efforts.ts';
import type { CarriedRequest } from './carried-request.ts';

/** Returns what the encoding of a request needs to know of its target. */
export const encodeTarget = (
  { entry, request: { outputSpace } }: CarriedRequest,
  { upstreamModel, provider, refuses }: Target,
): EncodeTarget => ({
  upstreamModel,
  reasoning: entry.model.capabilities.reasoning,
  reasoningEfforts: entry.model.reasoningEfforts,
  thinkingBudgets: thinksByBudget(entry) ? 'required' : undefined,
  ...(refuses?.has('thinking_budget') && withoutBudgets(entry)),
  thinkingField: thinkingFieldOf(provider.quirks),
  systemAs: entry.model.systemAs,
  // Vertex AI has the models of Anthropic without this feature.
  refusesSystemTurns: provider.cloud?.plan.kind === 'google',
  maxOutput: outputSpace ?? entry.model.maxOutput ?? undefined,
  vectors: vectorsOf(entry.model, provider),
});

/** A model that takes no budget takes efforts, even if its row lists none. */
const withoutBudgets = ({ model: { reasoningEfforts } }: CatalogEntry): Partial<EncodeTarget> => ({
  thinkingBudgets: 'refused',
  reasoningEfforts: reasoningEfforts.length > 0 ? reasoningEfforts : EFFORTS_OF_BUDGETS,
});

function vectorsOf(
  { outputDimensions, supportedParameters }: Model,
  { mode }: Provider,
): EncodeTarget['vectors'] {
  if (outputDimensions === null) return undefined;
  const canShorten = supportedParameters.includes('dimensions');
  // The simulator serves every model, so the request must state the width of this model's vectors.
  return { width: outputDimensions, canShorten, sendsWidth: canShorten || mode === 'simulated' };
}
