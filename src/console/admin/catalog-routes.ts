import { Refusal } from '../../base/errors/refusal.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { listOf, listView } from '../routes/list.ts';
import { findHidden } from '../settings/find-entry.ts';
import { adminRouteWith } from './admin-route.ts';
import { operatorModel, operatorModelWithRow, operatorView, viewWithRow } from './operator-model-view.ts';
import { plan, planView } from './plan-view.ts';

const route = adminRouteWith<'clock'>();

const group = 'Admin: catalog';

/** The routes for models, with the targets that only operators can see, and for plans. */
export const catalogRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/catalog',
      group,
      summary: 'Lists the models with their routes',
      answer: listOf(operatorModel),
      returns: 'All models.',
    },
    ({ exchange: { snapshot } }, { clock }) =>
      listView(
        [...snapshot.catalog.entries, ...snapshot.catalog.hidden].map((entry) =>
          operatorView(entry, snapshot, clock.now()),
        ),
      ),
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/catalog/{id*}',
      group,
      summary: 'Shows a model with its routes',
      answer: operatorModelWithRow,
      returns: 'The model, by its id or one of its aliases, with its row as a catalog file would have it.',
      errors: ['unknown_model'],
    },
    ({ params: { id }, exchange: { snapshot } }, { clock }) => {
      const entry = snapshot.catalog.resolve(id)?.entry ?? findHidden(snapshot, id);
      if (!entry) throw unknownModel(id, snapshot);
      return viewWithRow(entry, snapshot, clock.now());
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/plans',
      group,
      summary: 'Lists the plans',
      answer: listOf(plan),
      returns: 'The plans as configured on this server. `null` means no limit.',
    },
    ({ exchange: { snapshot } }) => listView(Object.values(snapshot.plans).map(planView)),
  ),
];

function unknownModel(id: string, { catalog }: Snapshot): Refusal {
  const ids = catalog.entries.map(({ model }) => model.id);
  const hint = didYouMean(id, ids);
  return new Refusal('unknown_model', { message: `There is no such model${hint === '' ? '.' : hint}` });
}
