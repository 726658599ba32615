import type { Json } from '../call.ts';
import { HIDDEN } from '../recording-upstream.ts';
import { nativeError, nativeMessage } from './native-answers.ts';
import type { NativeBatch, NativeBatches, NativeEntry } from './native-batches.ts';
import { outcomeOf } from './native-outcome.ts';
import type { NativeRoutes } from './native-routes.ts';

const viewOf = ({ id, isEnded, entries, createdMs }: NativeBatch): Json => ({
  created_at: new Date(createdMs).toISOString(),
  request_counts: { processing: entries.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  id,
  type: 'message_batch',
  processing_status: isEnded ? 'ended' : 'in_progress',
  results_url: isEnded ? `http://${HIDDEN}.invalid/` : null,
});

/** Returns the result of an entry. A lost entry has none. */
function resultOf(store: NativeBatches, { isCanceled }: NativeBatch, { body }: NativeEntry): Json {
  const outcome = outcomeOf(body);
  if (outcome.kind === 'lose') return undefined;
  if (outcome.kind === 'cancel' || isCanceled) return { type: 'canceled' };
  if (outcome.kind === 'expire') return { type: 'expired' };
  if (outcome.kind === 'fail')
    return { type: 'errored', error: { type: 'error', error: nativeError(outcome.status) } };
  return { type: 'succeeded', message: store.reported(nativeMessage(body)) };
}

function resultLines(store: NativeBatches, batch: NativeBatch): string {
  const lines = batch.entries.map((entry) => ({
    custom_id: entry.customId,
    result: resultOf(store, batch, entry),
  }));
  return lines
    .filter(({ result }) => result !== undefined)
    .map((line) => JSON.stringify(line))
    .join('\n');
}

/** The vendor that takes the requests of a batch in its body. */
export const anthropicBatches = (store: NativeBatches): NativeRoutes => [
  [
    /^POST \/v1\/messages\/batches$/,
    async (_, request) => {
      const { requests } = (await request.json()) as Json;
      const entries = requests.map(({ custom_id, params }: Json) => ({
        customId: custom_id,
        body: params,
      }));
      return Response.json(viewOf(store.create('msgbatch_', entries)));
    },
  ],
  [
    /^GET \/v1\/messages\/batches$/,
    () => Response.json({ data: store.list('msgbatch_').map(viewOf), has_more: false }),
  ],
  [/^GET \/v1\/messages\/batches\/([^/]+)$/, (id) => Response.json(viewOf(store.batches.get(id)!))],
  [
    /^GET \/v1\/messages\/batches\/([^/]+)\/results$/,
    (id) => new Response(resultLines(store, store.batches.get(id)!)),
  ],
  [
    /^DELETE \/v1\/messages\/batches\/([^/]+)$/,
    (id) => Response.json({ id, removed: store.batches.delete(id) }),
  ],
  [
    /^POST \/v1\/messages$/,
    async (_, request) => Response.json(nativeMessage((await request.json()) as Json)),
  ],
];
