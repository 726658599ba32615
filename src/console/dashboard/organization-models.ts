import { isListed, isVisible } from '../../api/models/is-listed.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithParams, WithQuery } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { findModels } from './find-models.ts';
import type { ModelDetail, ModelList, modelsQuery } from './model-schema.ts';
import { modelDetailView, modelRowView } from './model-views.ts';
import { type OrganizationViewer, viewerOf } from './organization-viewer.ts';

const DEFAULT_LIMIT = 50;

/** Lists the models that the filters of a query select. */
export async function listModels(
  call: OrganizationCall<WithQuery<typeof modelsQuery>>,
  parts: DashboardParts,
): Promise<ModelList> {
  const viewer = await viewerOfCall(call, parts);
  const listed = call.exchange.snapshot.catalog.entries.filter((entry) => isListed(entry, viewer));
  const selected = findModels(listed, call.query, viewer);
  const { after: start = 0, limit = DEFAULT_LIMIT } = call.query;
  const end = start + limit;
  const { id, displayName } = viewer.plan;
  return {
    data: selected.slice(start, end).map((entry) => modelRowView(entry, viewer)),
    found: selected.length,
    total: listed.length,
    next: end < selected.length ? String(end) : null,
    plan: { id, name: displayName },
    vendors: countBy(listed, ({ model }) => model.ownedBy),
    tiers: countBy(listed, ({ model }) => model.tier),
  };
}

/** Shows a model of the catalog that the organization can see. */
export async function showModel(
  call: OrganizationCall<WithParams<'model'>>,
  parts: DashboardParts,
): Promise<ModelDetail> {
  const viewer = await viewerOfCall(call, parts);
  const entry = call.exchange.snapshot.catalog.find(call.params.model);
  if (entry === undefined || !isVisible(entry, viewer.payg)) throw noSuchModel();
  return modelDetailView(entry, viewer);
}

async function viewerOfCall(
  { accountId, exchange: { snapshot } }: OrganizationCall,
  { accounts, clock }: DashboardParts,
): Promise<OrganizationViewer> {
  const account = accepted(await accounts.find(accountId));
  return viewerOf(snapshot, snapshot.plans[account.plan], clock.now());
}

/** Counts the models of each group, the largest group first. */
function countBy(
  entries: readonly CatalogEntry[],
  groupOf: (entry: CatalogEntry) => string,
): ModelList['vendors'] {
  const counts = Map.groupBy(entries, groupOf);
  return [...counts]
    .map(([value, counted]) => ({ value, count: counted.length }))
    .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value, 'en'));
}

const noSuchModel = (): Refusal =>
  new Refusal('not_found', { message: 'The catalog has no model with this id.' });
