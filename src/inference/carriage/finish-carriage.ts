import { Refusal } from '../../base/errors/refusal.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { renameParam } from '../../translation/params/rename-param.ts';
import { fitHost } from '../../translation/protocols/chat-completions/fit-host.ts';
import { withVendorIds } from '../responses/vendor-ids.ts';
import { bindReasoning } from './bind-reasoning.ts';
import type { CarriedRequest } from './carried-request.ts';
import { joinLosses } from './join-losses.ts';
import { type LargeAnswerOrdering, orderLargeAnswer } from './order-large-answer.ts';
import { reportLosses } from './report-losses.ts';

/** The wires on which some hosts reject fields that others accept. */
const FITTED_WIRES: ReadonlySet<Wire> = new Set<Wire>(['openai-chat', 'openai-completions']);

/** The target, and how its answer is written for the client. */
type CarriageAnswer = Pick<LargeAnswerOrdering, 'label' | 'translated' | 'otherWire'> & { target: Target };

/** Completes every carriage: applies the host's quirks and reports the losses. */
export function finishCarriage(
  carried: CarriedRequest,
  builtCarriage: Carriage | Refusal,
  { target, label, otherWire, translated }: CarriageAnswer,
): Carriage | Refusal {
  if (builtCarriage instanceof Refusal) return builtCarriage;
  const { provider } = target;
  const { dialect, request } = carried;
  const bound = bindReasoning(builtCarriage, target, carried.entry.targets);
  if (bound instanceof Refusal) return bound;
  const carriage = withIds(carried, withHeaders(bound, request), target);
  carriage.orderLarge = () =>
    orderLargeAnswer({ dialect, otherWire, request, label, translated, mark: carriage.mark });
  const { body, losses, wire } = carriage;
  if (provider.quirks.length === 0 || !FITTED_WIRES.has(wire)) return reportLosses(carried, carriage);
  const fitted = fitHost(body, provider.quirks);
  if (fitted instanceof Refusal) return renameParam(fitted, carried.dialect.codec?.paramNames);
  return reportLosses(carried, {
    ...carriage,
    body: fitted.body,
    losses: joinLosses(losses, fitted.losses),
  });
}

/** Replaces an id that a client returns to the vendor. */
function withIds(carried: CarriedRequest, carriage: Carriage, target: Target): Carriage {
  const { vendorIds, request } = carried;
  if (!carriage.isOwnProtocol) return carriage;
  return withVendorIds(carriage, request, (id) => vendorIds?.find(vendorIdPlace(carried, target, id)));
}

/** Passes on the client's header values on its own protocol only. */
function withHeaders(carriage: Carriage, { headerEdits }: InferenceRequest): Carriage {
  if (!headerEdits || !carriage.isOwnProtocol) return carriage;
  const { values, losses } = headerEdits;
  return { ...carriage, headerEdits: values, losses: joinLosses(carriage.losses, losses) };
}

/** Returns where an answer is found by its id. */
export const vendorIdPlace = (
  { exchange: { accountId = '' } }: CarriedRequest,
  { provider }: Target,
  id: string,
) => ({ account: accountId, provider: provider.id, id });
