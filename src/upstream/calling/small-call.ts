import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { smallRequests } from './small-requests.ts';

/** The cheapest call that proves a provider's key. */
export type SmallCall = { wire: Wire; model: string; path: string; body: string };

/**
 * Returns the smallest call of the cheapest model that the catalog routes to a provider. Returns undefined if
 * no model is routed to it.
 */
export function cheapestCall(provider: Provider, catalog: readonly CatalogEntry[]): SmallCall | undefined {
  const routed = catalog.flatMap(({ model, targets }) =>
    targets
      .filter((target) => target.provider.id === provider.id)
      .map(({ upstreamModel, wires }) => ({
        upstreamModel,
        price: model.pricing.input + model.pricing.output,
        wire: wires[0] ?? provider.wires[0]!, // a provider has a wire
      })),
  );
  const [cheapest] = routed
    .filter(({ wire }) => smallRequests[wire])
    .sort((one, other) => one.price - other.price);
  if (cheapest === undefined) return undefined;
  const { upstreamModel: model, wire } = cheapest;
  return smallCall(provider, { wire, model });
}

/** Returns the smallest call of a model. Returns undefined if the wire has no small call. */
export function smallCall(
  { quirks }: { quirks: Provider['quirks'] },
  { wire, model, tokens = 1 }: { wire: Wire; model: string; tokens?: number },
): SmallCall | undefined {
  const request = smallRequests[wire];
  if (!request) return undefined;
  const { path, body } = request(model, { quirks, tokens });
  return { wire, model, path, body: JSON.stringify(body) };
}

/** Reports whether a wire has a small call. */
export const hasSmallCall = (wire: Wire): boolean => smallRequests[wire] !== undefined;
