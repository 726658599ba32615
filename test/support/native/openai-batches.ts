import type { Json } from '../call.ts';
import { HIDDEN } from '../recording-upstream.ts';
import { nativeCompletion, nativeError } from './native-answers.ts';
import type { NativeBatch, NativeBatches, NativeEntry } from './native-batches.ts';
import { outcomeOf } from './native-outcome.ts';
import type { NativeRoutes } from './native-routes.ts';

const refused = () => new Response('', { status: 400 });

/** Returns the line of an entry. A lost entry has none. */
function lineOf(store: NativeBatches, { isCanceled }: NativeBatch, { customId, body }: NativeEntry): Json {
  const outcome = outcomeOf(body);
  const line = (response: Json, error: Json = null) => ({
    id: HIDDEN,
    custom_id: customId,
    response,
    error,
  });
  if (outcome.kind === 'lose') return undefined;
  if (outcome.kind === 'cancel' || isCanceled)
    return line(null, { code: 'batch_cancelled', message: HIDDEN });
  if (outcome.kind === 'expire') return line(null, { code: 'batch_expired', message: HIDDEN });
  if (outcome.kind === 'fail')
    return line({ status_code: outcome.status, body: { error: nativeError(outcome.status) } });
  return line({ status_code: 200, body: store.reported(nativeCompletion(body)) });
}

/** Writes the files of an ended batch, and returns their ids. A file without lines does not exist. */
function writeFiles(store: NativeBatches, batch: NativeBatch) {
  const lines = batch.entries
    .map((entry) => lineOf(store, batch, entry))
    .filter((line) => line !== undefined);
  const isGood = (line: Json) => line.response?.status_code === 200;
  const write = (name: string, contents: Json[]) => {
    if (contents.length === 0) return null;
    store.files.set(`${batch.id}-${name}`, contents.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return `${batch.id}-${name}`;
  };
  return {
    output_file_id: write('output', lines.filter(isGood)),
    error_file_id: write(
      'errors',
      lines.filter((line) => !isGood(line)),
    ),
  };
}

const viewOf = (store: NativeBatches, batch: NativeBatch): Json => ({
  id: batch.id,
  object: 'batch',
  input_file_id: batch.inputFile,
  completion_window: '24h',
  created_at: Math.floor(batch.createdMs / 1_000),
  request_counts: { total: batch.entries.length, completed: 0, failed: 0 },
  metadata: batch.metadata ?? null,
  output_file_id: null,
  error_file_id: null,
  status: 'in_progress',
  ...(batch.isEnded && {
    status: batch.isCanceled ? 'cancelled' : 'completed',
    ...writeFiles(store, batch),
  }),
});

async function upload(store: NativeBatches, request: Request): Promise<Response> {
  const form = await request.formData();
  if (form.get('purpose') !== 'batch') return refused();
  const id = store.newId('file-');
  store.files.set(id, await (form.get('file') as File).text());
  return Response.json({ id, object: 'file' });
}

async function create(store: NativeBatches, request: Request): Promise<Response> {
  const { input_file_id, endpoint, completion_window, metadata } = (await request.json()) as Json;
  const text = store.files.get(input_file_id);
  if (text === undefined || completion_window !== '24h') return refused();
  const lines: Json[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isRight = ({ method, url, body }: Json) => method === 'POST' && url === endpoint && !body.stream;
  const models = new Set(lines.map(({ body }) => body.model));
  if (!lines.every(isRight) || models.size > 1) return refused();
  const entries = lines.map(({ custom_id, body }) => ({ customId: custom_id, body }));
  const batch = store.create('batch_', entries, { inputFile: input_file_id, metadata });
  return Response.json(viewOf(store, batch));
}

/** The vendor that takes the requests of a batch in a file. */
export const openAiBatches = (store: NativeBatches): NativeRoutes => [
  [/^POST \/v1\/files$/, (_, request) => upload(store, request)],
  [/^GET \/v1\/files\/([^/]+)\/content$/, (id) => new Response(store.files.get(id))],
  [/^DELETE \/v1\/files\/([^/]+)$/, (id) => Response.json({ id, removed: store.files.delete(id) })],
  [/^POST \/v1\/batches$/, (_, request) => create(store, request)],
  [
    /^GET \/v1\/batches$/,
    () => Response.json({ data: store.list('batch_').map((batch) => viewOf(store, batch)), has_more: false }),
  ],
  [/^GET \/v1\/batches\/([^/]+)$/, (id) => Response.json(viewOf(store, store.batches.get(id)!))],
  [
    /^POST \/v1\/chat\/completions$/,
    async (_, request) => Response.json(nativeCompletion((await request.json()) as Json)),
  ],
];
