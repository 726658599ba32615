import type { Static } from 'typebox';
import { modelFields } from '../../api/models/model-schemas.ts';
import { modelView } from '../../api/models/model-view.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { planIds } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { type EffectiveRow, effectiveRow } from '../settings/effective-row.ts';

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
    source: Type.Enum(['file', 'built-in', 'found', 'stored'], {
      description: '`built-in`: the default catalog. `stored`: made or changed by form or API.',
    }),
    revision: orNull(
      Type.Integer(),
      'Increases with each change of a stored row. `null` means that the model has none.',
    ),
    hidden: Type.Boolean({ description: 'The model is in no list, and no request reaches it.' }),
    routes: Type.Array(
      Type.Object({
        provider: text,
        model: text,
        weight: Type.Number(),
        usable: Type.Boolean(),
        cost_usd_per_mtok: orNull(
          Type.Object({ input: Type.Number(), output: Type.Number(), cached_input: orNull(Type.Number()) }),
          'What the operator pays for tokens there. `null` means the prices of the model.',
        ),
      }),
      { description: 'The targets of the model. `usable`: the provider is set up.' },
    ),
  },
  { title: 'Operator Model' },
);
/** The member of the brand has its name from the configuration, so the type does not know it. */
export const operatorModel = Type.Unsafe<Omit<Static<typeof fields>, '{brand}'>>(fields);

const withRow = Type.Object(
  {
    ...fields.properties,
    row: orNull(
      Type.Unsafe<EffectiveRow>({ type: 'object' }),
      'The row as a catalog file would have it, with the prices in force. `null` means that the model was found at a local server.',
    ),
  },
  { title: 'Operator Model With Row' },
);
/** A model as operators see it, with its row as a catalog file would have it. */
export const operatorModelWithRow = Type.Unsafe<Omit<Static<typeof withRow>, '{brand}'>>(withRow);

/** Shows a model as operators see it, with its row as a catalog file would have it. */
export const viewWithRow = (
  entry: CatalogEntry,
  snapshot: Snapshot,
  now: number,
): ViewOf<typeof operatorModelWithRow> => ({
  ...operatorView(entry, snapshot, now),
  row: effectiveRow(snapshot, entry.model.id) ?? null,
});

/** Shows a model as operators see it. */
export function operatorView(
  entry: CatalogEntry,
  snapshot: Snapshot,
  now: number,
): ViewOf<typeof operatorModel> {
  const { names, plans } = snapshot;
  const { model, targets } = entry;
  const { source = 'found', stored } = snapshot.rows().get(model.id) ?? {};
  const usable = new Set(targets.map(({ provider, upstreamModel }) => `${provider.id} ${upstreamModel}`));
  return {
    ...modelView(entry, { plan: null, payg: false, names, plans, listsUnavailable: true, now }),
    confirmed_at: model.confirmations.find(({ row }) => row === BASE_ROW)?.at ?? null,
    id: model.id,
    kind: model.kind,
    plan: model.plan,
    launch: model.launch,
    comparable: model.comparable,
    source,
    revision: stored?.revision ?? null,
    hidden: stored?.isHidden ?? false,
    routes: model.routes.map(({ provider, model: upstreamModel, weight, cost }) => ({
      provider,
      model: upstreamModel,
      weight,
      usable: usable.has(`${provider} ${upstreamModel}`),
      cost_usd_per_mtok: cost && { input: cost.input, output: cost.output, cached_input: cost.cachedInput },
    })),
  };
}
