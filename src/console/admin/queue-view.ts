import { isoTime } from '../../base/lib/iso-time.ts';
import type { QueuedRequest } from '../../upstream/capacity/capacity.ts';

export type QueueRowView = ReturnType<typeof queueRowView>;

/** A queued request. `node` is the process that has it in its queue. */
export const queueRowView = (request: QueuedRequest, node: string, now: number) => ({
  id: request.requestId ?? '',
  node,
  class: request.planClass,
  model: request.model ?? null,
  account_id: request.account,
  key_id: request.keyId ?? null,
  providers: request.providers,
  position: request.position,
  queued_at: isoTime(Math.round(now - request.waitedMs)),
  waited_ms: Math.round(request.waitedMs),
  refused_at: isoTime(Math.round(now + request.leftMs)),
});
