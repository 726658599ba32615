import { meteredView } from '../../api/models/metered-view.ts';
import { modelView, type Viewer } from '../../api/models/model-view.ts';
import { planCovers } from '../../api/models/plan-covers.ts';
import { hasConditions, pricesView, pricingFor, tokenPricesView } from '../../api/models/price-view.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import { unlockedBy } from '../../settings/catalog/model-access.ts';
import type { PlanId, Plans } from '../../settings/plans/plan.ts';
import type { ModelDetail, ModelRow } from './model-schema.ts';
import type { OrganizationViewer } from './organization-viewer.ts';

const nameOf = (plans: Plans, id: PlanId) => ({ id, name: plans[id].displayName });

/** Shows a model as a row of the list, with the prices in both payment modes. */
export function modelRowView(entry: CatalogEntry, viewer: OrganizationViewer): ModelRow {
  const { model } = entry;
  const { plan, payg, plans } = viewer;
  return {
    id: model.id,
    name: model.displayName,
    owned_by: model.ownedBy,
    kind: model.kind,
    tier: model.tier,
    delivery: model.delivery,
    context_window: model.contextWindow,
    max_output: model.maxOutput,
    capabilities: model.capabilities,
    prices: tokenPricesView(pricingFor(model, payg)),
    payg_prices: tokenPricesView(pricingFor(model, true)),
    included: planCovers(plan, model, plans),
    unlocked_by: nameOf(plans, unlockedBy(model, plans)),
    available: isAvailable(entry),
    simulated: isSimulated(entry),
  };
}

/** Shows the rows of the prices that the viewer pays. `null` means that the prices have no conditions. */
function rowedPricesView({ model }: CatalogEntry, { payg, now }: Viewer): ModelDetail['rowed_prices'] {
  const pricing = pricingFor(model, payg);
  return hasConditions(pricing) ? pricesView(pricing, now) : null;
}

/** Shows a model with everything that `/v1/models` shows to a client of the organization. */
export function modelDetailView(entry: CatalogEntry, viewer: OrganizationViewer): ModelDetail {
  const view = modelView(entry, viewer);
  const { plan: own, plans } = viewer;
  return {
    ...modelRowView(entry, viewer),
    rowed_prices: rowedPricesView(entry, viewer),
    metered_usd: entry.model.meteredUsd && meteredView(entry.model.meteredUsd),
    endpoints: endpointsOf[entry.model.kind],
    description: view.description,
    aliases: view.aliases,
    created: view.created,
    supported_parameters: view.supported_parameters,
    native_wires: view.native_wires,
    output_dimensions: entry.model.outputDimensions,
    plan: nameOf(plans, own.id),
    plans: Object.values(plans)
      .filter(({ id, buyable }) => buyable || id === own.id)
      .sort((one, other) => one.rank - other.rank)
      .map((plan) => ({
        ...nameOf(plans, plan.id),
        includes: planCovers(plan, entry.model, plans),
        is_own: plan.id === own.id,
      })),
  };
}
