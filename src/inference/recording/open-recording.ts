import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { ArrivedRequest } from '../request/arrived-request.ts';
import { frameIdPrefix } from './frame-numberer.ts';
import { generatingEndpoints } from './generating-endpoints.ts';
import { Recording } from './recording.ts';
import type { RecordingOrder } from './recording-order.ts';
import type { RecordingParts } from './recording-parts.ts';
import type { RecordingSpace } from './recording-space.ts';
import type { NewRecording } from './recording-store.ts';
import type { RunningRecordings } from './running-recordings.ts';

/** A request that only retries of SDKs can join continues for at most this long. */
const JOIN_GRACE_MS = 10_000;
/** An answer that runs is kept for at least this long. */
const RUNNING_MS = 600_000;

/** A request whose answer is recorded. */
export type ArrivedOrder = ArrivedRequest & { order: RecordingOrder };

type OpeningParts = RecordingParts & { running: RunningRecordings; space: RecordingSpace };

/** Creates the recording of a request's answer. */
export function openRecording(
  { exchange, principal, order }: ArrivedOrder,
  { running, space, store, clock, memory, isShared, onFailure }: OpeningParts,
): Recording {
  const { requestId, snapshot } = exchange;
  const { isResumable } = order;
  const accountId = principal.account.id;
  return new Recording({
    requestId,
    isResumable,
    idPrefix: hasIds(exchange, order) ? frameIdPrefix(requestId) : undefined,
    ...lifetimesOf(order, snapshot.config),
    room: space.roomFor({ accountId, isResumable, limits: snapshot.config.limits }),
    store,
    holder: running.holder,
    clock,
    isShared,
    openMemory: () => memory.open(accountId),
    onUnwritten: () => running.invalid.add(requestId),
    onFailure,
  });
}

/** Returns the row with which the recording begins in the store. */
export function newRecordingRow(
  { exchange, principal, order }: ArrivedOrder,
  { bodyHash, running, now }: { bodyHash: string; running: RunningRecordings; now: number },
): NewRecording {
  return {
    requestId: exchange.requestId,
    keyId: principal.apiKey.id,
    accountId: principal.account.id,
    path: exchange.path,
    idempotencyKey: order.idempotencyKey ?? null,
    bodyHash,
    isJoinable: order.isJoinable,
    isResumable: order.isResumable,
    hasIds: hasIds(exchange, order),
    createdAt: now,
    expiresAt: now + RUNNING_MS,
    holder: running.holder,
    ...running.heldFrom(now),
  };
}

function lifetimesOf(
  { isResumable, isJoinable, idempotencyKey }: RecordingOrder,
  { limits, retention }: Exchange['snapshot']['config'],
) {
  const graceMs = msOf(limits.resume_grace_s);
  const isKeyed = idempotencyKey !== undefined;
  return {
    graceMs: isResumable || isKeyed ? graceMs : Math.min(graceMs, JOIN_GRACE_MS),
    replaysMs: isKeyed || isJoinable ? msOf(retention.replays_s) : undefined,
    streamsMs: msOf(retention.streams_s),
  };
}

const hasIds = ({ route }: Exchange, { isResumable }: RecordingOrder): boolean =>
  isResumable && !generatingEndpoints[route]?.withoutIds;
