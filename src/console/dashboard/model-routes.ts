import type { Static } from 'typebox';
import { listedIn, shownIn } from '../../api/models/listed-in.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { findModels } from './find-models.ts';
import { type ModelList, modelDetail, modelList, modelsQuery } from './model-schema.ts';
import { modelDetailOf, modelRowOf, type OrganizationViewer, viewerOf } from './show-models.ts';

const MODELS = '/dashboard/v1/organizations/{account}/models';
const PAGE = 50;

type Parts = Pick<DashboardParts, 'accounts' | 'clock'>;

/** The catalog as the clients of an organization see it. */
export const modelRoutes = [
  dashboardRoute(
    { method: 'GET', path: MODELS, access: 'viewer', query: modelsQuery, answer: modelList },
    ({ accountId, exchange, query }, parts) =>
      unlessRefused(viewerIn(parts, accountId, exchange), (viewer) => listModels(exchange, viewer, query)),
  ),
  dashboardRoute(
    { method: 'GET', path: `${MODELS}/{model*}`, access: 'viewer', answer: modelDetail },
    ({ accountId, exchange, params }, parts) =>
      unlessRefused(viewerIn(parts, accountId, exchange), (viewer) => {
        const entry = exchange.snapshot.catalog.find(params.model);
        const isShown = entry !== undefined && shownIn(viewer.payg)(entry);
        return isShown ? modelDetailOf(entry, viewer) : noSuchModel();
      }),
  ),
];

async function viewerIn(
  { accounts, clock }: Parts,
  accountId: string,
  { snapshot }: Exchange,
): Promise<OrganizationViewer | Refusal> {
  const account = await accounts.find(accountId);
  return account instanceof Refusal
    ? account
    : viewerOf(snapshot, { plan: snapshot.plans[account.plan], now: clock.now() });
}

function listModels(
  { snapshot }: Exchange,
  viewer: OrganizationViewer,
  query: Static<typeof modelsQuery>,
): ModelList {
  const listed = snapshot.catalog.entries.filter(listedIn(viewer));
  const found = findModels(listed, query, viewer);
  const { after: start = 0, limit = PAGE } = query;
  const end = start + limit;
  const { id, displayName } = viewer.plan;
  return {
    data: found.slice(start, end).map((entry) => modelRowOf(entry, viewer)),
    found: found.length,
    total: listed.length,
    next: end < found.length ? String(end) : null,
    plan: { id, name: displayName },
    vendors: countBy(listed, ({ model }) => model.ownedBy),
    tiers: countBy(listed, ({ model }) => model.tier),
  };
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
