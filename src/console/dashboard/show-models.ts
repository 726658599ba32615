import { meteredView } from '../../api/models/metered-view.ts';
import { modelView, type Viewer } from '../../api/models/model-view.ts';
import { pricesView } from '../../api/models/price-view.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import { planIncludes } from '../../settings/catalog/model-access.ts';
import type { Plan, PlanId, Plans } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { ModelDetail, ModelRow } from './model-schema.ts';

const nameOf = (plans: Plans, id: PlanId) => ({ id, name: plans[id].displayName });

/**
 * Returns the viewer of an organization's pages. An account on the pay-as-you-go plan sees what this mode
 * shows.
 */
export const viewerOf = (
  { names, plans, config }: Snapshot,
  { plan, now }: Pick<Viewer, 'now'> & { plan: Plan },
): Viewer => ({
  now,
  plan,
  payg: plan.id === 'payg',
  names,
  plans,
  listsUnavailable: config.catalog.list_unavailable,
});

/** A model with the facts that `/v1/models` shows to a client of the organization. */
export function modelRowOf(entry: CatalogEntry, viewer: Viewer): ModelRow {
  const { id, owned_by, display_name, tier, delivery, context_window, max_output, capabilities, ...view } =
    modelView(entry, viewer);
  const { access } = (view as Record<string, unknown>)[viewer.names.extension] as {
    access: { included: boolean; unlocked_by: PlanId };
  };
  return {
    id,
    name: display_name,
    owned_by,
    kind: entry.model.kind,
    tier,
    delivery,
    context_window,
    max_output,
    capabilities,
    prices: view.pricing_usd_per_mtok,
    payg_prices: modelView(entry, { ...viewer, payg: true }).pricing_usd_per_mtok,
    included: access.included,
    unlocked_by: nameOf(viewer.plans, access.unlocked_by),
    available: isAvailable(entry),
    simulated: isSimulated(entry),
  };
}

/** Returns the rows of the prices that the caller pays. `null` means that the prices have no conditions. */
function rowedPricesOf({ model }: CatalogEntry, { payg, now }: Viewer): ModelDetail['rowed_prices'] {
  const pricing = payg ? (model.paygPricing ?? model.pricing) : model.pricing;
  return pricing.conditions ? (pricesView(pricing, now) as ModelDetail['rowed_prices']) : null;
}

export function modelDetailOf(entry: CatalogEntry, viewer: Viewer): ModelDetail {
  const view = modelView(entry, viewer);
  const { plans } = viewer;
  const own = viewer.plan!;
  return {
    ...modelRowOf(entry, viewer),
    rowed_prices: rowedPricesOf(entry, viewer),
    metered_usd: entry.model.meteredUsd && meteredView(entry.model.meteredUsd),
    endpoints: [...endpointsOf[entry.model.kind]],
    description: view.description,
    aliases: [...view.aliases],
    created: view.created,
    supported_parameters: [...view.supported_parameters],
    native_wires: [...view.native_wires],
    output_dimensions: entry.model.outputDimensions,
    plan: nameOf(plans, own.id),
    plans: Object.values(plans)
      .filter(({ id, buyable }) => buyable || id === own.id)
      .sort((one, other) => one.rank - other.rank)
      .map((plan) => ({
        ...nameOf(plans, plan.id),
        includes: plan.id === 'payg' || planIncludes(plan, entry.model, plans),
        is_own: plan.id === own.id,
      })),
  };
}
