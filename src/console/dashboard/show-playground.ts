import { planCovers } from '../../api/models/plan-covers.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { unlockedBy } from '../../settings/catalog/model-access.ts';
import type { Plan, Plans } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { findPlaygroundKey } from './playground-key.ts';
import type { PlaygroundModel, PlaygroundOptions } from './playground-schema.ts';

/** Shows the models and the key that the playground of an organization can use. */
export async function showPlayground(
  { exchange, accountId }: OrganizationCall,
  { playground }: DashboardParts,
): Promise<PlaygroundOptions> {
  const account = accepted(await playground.accounts.find(accountId));
  const key = await findPlaygroundKey(playground, accountId);
  const { plans, catalog, names } = exchange.snapshot;
  const plan = plans[account.plan];
  return {
    base_url: publicUrl(exchange),
    key: key ? { id: key.id, name: key.name ?? '' } : null,
    plan: account.plan,
    headers: headerNames(names),
    models: catalog.entries
      .filter((entry) => entry.model.kind === 'chat' && isAvailable(entry))
      .map((entry) => modelOf(entry, { plan, plans })),
  };
}

const headerNames = ({ header }: Snapshot['names']): PlaygroundOptions['headers'] => ({
  request_id: header.requestId,
  error_code: header.errorCode,
  payment_mode: header.paymentMode,
  served_by: header.servedBy,
  queue_ms: header.queueMs,
  losses: header.translationLosses,
  simulated: header.simulated,
});

function modelOf(entry: CatalogEntry, { plan, plans }: { plan: Plan; plans: Plans }): PlaygroundModel {
  const { model } = entry;
  return {
    id: model.id,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    context_window: model.contextWindow,
    max_output: model.maxOutput,
    capabilities: { ...model.capabilities },
    reasoning_efforts: [...model.reasoningEfforts],
    included: planCovers(plan, model, plans),
    unlocked_by: unlockedBy(model, plans),
    simulated: isSimulated(entry),
  };
}
