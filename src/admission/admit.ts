import type { Principal } from '../auth/principal.ts';
import type { CatalogEntry, ResolvedModel } from '../catalog/catalog.ts';
import { planIncludes } from '../catalog/model-access.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { refuseModel } from './model-admission.ts';
import { type PaymentMode, paymentMode } from './payment-mode.ts';

/** A request that may go on: as which model, and what pays for it. */
export type Permit = { entry: CatalogEntry; mode: PaymentMode };

/** In the order in which several faults are reported: model, payment and plan, the key's own list, what the model can do. */
export function admit(exchange: Exchange, principal: Principal, name: string): Permit | Refusal {
  const { snapshot } = exchange;
  const resolved = snapshot.catalog.resolve(name);
  if (!resolved) return unknownModel(name);
  const mode = paymentMode(exchange, principal);
  if (mode instanceof Refusal) return mode;
  if (resolved.entry.targets.length === 0) return unavailable(exchange, principal, resolved);
  const refusal = refuseModel({ principal, mode, entry: resolved.entry, snapshot });
  if (refusal) return refusal;
  if (resolved.entry.model.kind !== 'chat') {
    return new Refusal('route_not_qualified', {
      param: 'model',
      message: `${resolved.entry.model.id} is an embedding model; it is served on /v1/embeddings.`,
    });
  }
  return { entry: resolved.entry, mode };
}

const MAX_SHOWN = 80;

const unknownModel = (name: string): Refusal =>
  new Refusal('unknown_model', {
    param: 'model',
    message: `There is no model '${name.replace(/\p{C}/gu, '').slice(0, MAX_SHOWN)}'; GET /v1/models lists them.`,
  });

function unavailable({ snapshot }: Exchange, { plan }: Principal, { entry }: ResolvedModel): Refusal {
  const usable = snapshot.catalog.usable(
    ({ model }) => model.kind === entry.model.kind && planIncludes(plan, model, snapshot.plans),
  );
  const suggestion = usable.length > 0 ? ` Models that you can use: ${usable.join(', ')}.` : '';
  return new Refusal('model_unavailable', {
    param: 'model',
    message: `${entry.model.id} is not available here.${suggestion}`,
  });
}
