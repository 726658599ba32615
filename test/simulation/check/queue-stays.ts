import { type Asked, requestIdOf } from '../clients/asked.ts';
import { QUEUED_AT } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { VendorCall } from '../vendors/vendor.ts';
import type { World } from '../world.ts';
import type { Span } from './span.ts';

/** A request of a model whose vendors have few slots, from its arrival until its first call or its end. */
export type Stay = Span & {
  request: Asked;
  host: Host;
  call: VendorCall | undefined;
  /** The time from which the request was certainly in the queue. */
  queuedFrom: number;
};

/** A request that has waited this long is in the queue. */
const CERTAINLY_QUEUED_MS = { sqlite: 500, postgres: 6_000 };

/** Lists the requests that may have queued, except those that a vendor without a connection may delay. */
export function staysOf(world: World): Stay[] {
  const { clients, watch, simulation, hasStoreTrouble, vendors, database } = world;
  const certainMs = CERTAINLY_QUEUED_MS[database ? 'postgres' : 'sqlite'];
  const away = new Set(vendors.filter(({ hasBeenDown }) => hasBeenDown).map(({ parts }) => parts.name));
  return clients.asked.flatMap((request) => {
    const {
      host,
      status = 0,
      answeredAt,
      startedAt,
      handedWholeAt,
      endedAt = simulation.now,
    } = request.record;
    const at = QUEUED_AT[request.model];
    if (!host || request.idempotencyKey !== undefined || !at || at.some((vendor) => away.has(vendor)))
      return [];
    // A stored response may wait for the store first.
    if (request.isStored && hasStoreTrouble) return [];
    const call = watch.callsOf(request.marker)[0];
    const refusedAt = status < 400 ? undefined : answeredAt;
    // A client that reads slowly gets the end of a stream long after its wait.
    const until = call?.at ?? refusedAt ?? handedWholeAt ?? endedAt;
    return [{ request, host, call, from: startedAt, until, queuedFrom: startedAt + certainMs }];
  });
}

export const nameOf = ({ request }: Stay): string =>
  `${request.marker} (${requestIdOf(request)}) of ${request.account}`;
