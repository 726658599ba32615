import { takesBudget, thinkingFieldOf } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { CatalogEntry } from './catalog.ts';

/** The wires on which a model without effort levels gets a budget of thinking tokens instead. */
const budgetWires: ReadonlySet<Wire> = new Set<Wire>([
  'anthropic-messages',
  'bedrock-converse',
  'google-generate',
  'google-interactions', // which has levels for them
]);

/** The efforts with a budget of their own (`translation/encoding/efforts.ts`). */
const BY_BUDGET: readonly string[] = ['low', 'medium', 'high'];

type Entry = Pick<CatalogEntry, 'model' | 'targets'>;

/** Reports whether an effort of the request becomes a budget, whichever target answers. */
export const thinksByBudget = ({ model, targets }: Entry): boolean =>
  model.capabilities.reasoning &&
  model.reasoningEfforts.length === 0 &&
  targets.length > 0 &&
  targets.every(
    ({ provider, wires }) =>
      takesBudget(thinkingFieldOf(provider.quirks)) || wires.every((wire) => budgetWires.has(wire)),
  );

/** Returns the efforts that a request for the model can ask for. */
export const effortsOf = (entry: Entry): readonly string[] =>
  thinksByBudget(entry) ? BY_BUDGET : entry.model.reasoningEfforts;
