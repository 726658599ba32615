import { modelView } from '../../api/models/model-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { rowOfFigures } from '../../settings/plans/build-plans.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { listView } from './list-view.ts';

/** The routes for models, with the targets that only operators can see, and for plans. */
export const catalogRoutes = ({ clock }: Pick<AdminDependencies, 'clock'>): readonly Route[] => [
  {
    method: 'GET',
    path: '/admin/v1/catalog',
    describe: told.listCatalog,
    handle: ({ snapshot }) =>
      jsonReply(
        200,
        listView(snapshot.catalog.entries.map((entry) => operatorView(entry, snapshot, clock.now()))),
      ),
  },
  {
    method: 'GET',
    path: '/admin/v1/catalog/{id*}',
    describe: told.showModel,
    handle: ({ snapshot, params }) => {
      const entry = snapshot.catalog.resolve(params.id!)?.entry;
      return entry
        ? jsonReply(200, operatorView(entry, snapshot, clock.now()))
        : unknownModel(params.id!, snapshot);
    },
  },
  {
    method: 'GET',
    path: '/admin/v1/plans',
    describe: told.listPlans,
    handle: ({ snapshot }) =>
      jsonReply(
        200,
        listView(
          Object.values(snapshot.plans).map(({ id, displayName, rank, buyable, ...figures }) => ({
            id,
            display_name: displayName,
            rank,
            buyable,
            ...rowOfFigures(figures),
          })),
        ),
      ),
  },
];

function unknownModel(id: string, { catalog }: Snapshot): Refusal {
  const hint = didYouMean(
    id,
    catalog.entries.map(({ model }) => model.id),
  );
  return new Refusal('unknown_model', { message: `There is no such model${hint === '' ? '.' : hint}` });
}

function operatorView(entry: CatalogEntry, { names, plans }: Snapshot, now: number) {
  const { model, targets } = entry;
  const usable = new Set(targets.map(({ provider, upstreamModel }) => `${provider.id} ${upstreamModel}`));
  return {
    ...modelView(entry, { plan: null, payg: false, names, plans, listsUnavailable: true, now }),
    confirmed_at: model.confirmations.find(({ row }) => row === BASE_ROW)?.at ?? null,
    id: model.id,
    kind: model.kind,
    plan: model.plan,
    launch: model.launch,
    comparable: model.comparable,
    routes: model.routes.map(({ provider, model: upstreamModel, weight }) => ({
      provider,
      model: upstreamModel,
      weight,
      usable: usable.has(`${provider} ${upstreamModel}`),
    })),
  };
}
