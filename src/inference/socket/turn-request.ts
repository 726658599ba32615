import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBody } from '../../base/json/parse-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';

/** One `response.create` of a client. */
export type TurnRequest = {
  /** The lane of the turn. Turns of one lane run one after the other. */
  lane: string | undefined;
  /** False for a warm-up, which generates nothing. */
  generates: boolean;
  body: JsonBody;
};

/** Members of the event that are not members of a request. */
const EVENT_MEMBERS = { type: null, stream_id: null, generate: null, background: null };

/** Returns the request of a turn, or a refusal that names the invalid member. */
export function readTurn(event: JsonBody, yieldQueue: YieldQueue): MaybeLater<TurnRequest | Refusal> {
  const { stream_id: lane, generate, background } = event.value;
  if (lane != null && (typeof lane !== 'string' || lane === '' || lane.length > 200))
    return invalidParam('stream_id', 'must be a text of at most 200 characters');
  if (generate != null && typeof generate !== 'boolean') return invalidParam('generate', 'must be a boolean');
  if (background === true) return invalidParam('background', 'is not supported over a WebSocket');
  const text = patchJson(event.text, event.members, { ...EVENT_MEMBERS, stream: 'true' });
  return andThen(parseBody(text, yieldQueue), (body) =>
    body instanceof Refusal
      ? body
      : { lane: typeof lane === 'string' ? lane : undefined, generates: generate !== false, body },
  );
}
