import type { Static } from 'typebox';
import { modelFields } from '../../api/models/model-answer.ts';
import { modelView } from '../../api/models/model-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { rowOfFigures } from '../../settings/plans/build-plans.ts';
import { planIds } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import { listOf, listView } from '../routes/list.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRoute } from './admin-route.ts';

const text = Type.String();

const fields = Type.Object(
  {
    ...modelFields,
    kind: Type.Enum([...modelKinds]),
    plan: Type.Enum(planIds, { description: 'The cheapest plan that includes the model.' }),
    launch: Type.Boolean({ description: 'The Launch plan includes the model.' }),
    confirmed_at: orNull(
      Type.String({ format: 'date' }),
      'The date on which the base prices were last compared with their source.',
    ),
    comparable: Type.Array(text),
    routes: Type.Array(
      Type.Object({ provider: text, model: text, weight: Type.Number(), usable: Type.Boolean() }),
      { description: 'The targets of the model. `usable`: the provider is set up.' },
    ),
  },
  { title: 'Operator Model' },
);
/** The member of the brand has its name from the configuration, so the type does not know it. */
const operatorModel = Type.Unsafe<Omit<Static<typeof fields>, '{brand}'>>(fields);

const planRow = Type.Object(
  {
    id: Type.Enum(planIds),
    display_name: text,
    rank: Type.Integer({ description: 'The position of the plan. A change to a higher rank is an upgrade.' }),
    buyable: Type.Boolean(),
    ...planFigureSchemas,
  },
  { title: 'Plan' },
);

const group = 'Admin: catalog';

/** The routes for models, with the targets that only operators can see, and for plans. */
export const catalogRoutes = [
  adminRoute(
    {
      method: 'GET',
      path: '/admin/v1/catalog',
      group,
      summary: 'Lists the models with their routes',
      answer: listOf(operatorModel),
      returns: 'All models.',
    },
    ({ exchange: { snapshot } }, { clock }) =>
      listView(snapshot.catalog.entries.map((entry) => operatorView(entry, snapshot, clock.now()))),
  ),
  adminRoute(
    {
      method: 'GET',
      path: '/admin/v1/catalog/{id*}',
      group,
      summary: 'Shows a model with its routes',
      answer: operatorModel,
      returns: 'The model, by its id or one of its aliases.',
      errors: ['unknown_model'],
    },
    ({ params: { id }, exchange: { snapshot } }, { clock }) => {
      const entry = snapshot.catalog.resolve(id)?.entry;
      return entry ? operatorView(entry, snapshot, clock.now()) : unknownModel(id, snapshot);
    },
  ),
  adminRoute(
    {
      method: 'GET',
      path: '/admin/v1/plans',
      group,
      summary: 'Lists the plans',
      answer: listOf(planRow),
      returns: 'The plans as configured on this server. Null: no limit.',
    },
    ({ exchange: { snapshot } }) =>
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
];

function unknownModel(id: string, { catalog }: Snapshot): Refusal {
  const hint = didYouMean(
    id,
    catalog.entries.map(({ model }) => model.id),
  );
  return new Refusal('unknown_model', { message: `There is no such model${hint === '' ? '.' : hint}` });
}

function operatorView(
  entry: CatalogEntry,
  { names, plans }: Snapshot,
  now: number,
): ViewOf<typeof operatorModel> {
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
