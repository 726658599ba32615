import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { askProvider, callProvider } from './call-provider.ts';
import { createNativeBatch } from './create-native-batch.ts';
import { linesOf } from './lines-of.ts';
import { type BatchListing, listBatches } from './list-batches.ts';
import { LostAnswer } from './lost-answer.ts';
import type {
  NativeBatch,
  NativeOrder,
  NativeResult,
  NativeState,
  NativeTransport,
} from './native-transport.ts';

const wire = 'openai-chat';
/** The member of the batch's metadata that holds the mark. */
const MARK = 'submission';
const pathOf = ({ upstreamId }: NativeBatch): string => `/batches/${encodeURIComponent(upstreamId)}`;
const filePath = (id: string): string => `/files/${encodeURIComponent(id)}`;
const ended: ReadonlySet<unknown> = new Set(['completed', 'expired', 'cancelled', 'failed']);

/**
 * The OpenAI Batch API, which takes requests and returns results as files:
 * https://platform.openai.com/docs/api-reference/batch
 */
export const openaiTransport: NativeTransport = {
  settleMs: 5_000,

  async submit(order) {
    const { provider, path } = order;
    const input_file_id = await upload(order);
    const window = { endpoint: `/v1${path}`, completion_window: '24h' };
    const body = JSON.stringify({ input_file_id, ...window, metadata: { [MARK]: order.mark } });
    return createNativeBatch({ provider, wire, path: '/batches', body }).catch(async (error: unknown) => {
      // No batch has the file, so nothing else would ever remove it.
      if (!(error instanceof LostAnswer)) await removeFiles(provider, [input_file_id]).catch(() => {});
      throw error;
    });
  },

  list: (provider) => listBatches({ provider, wire, path: '/batches', cursor: 'after', describe }),

  poll: async (batch) => stateOf(await viewOf(batch)),

  async *results({ provider }, files) {
    for (const file of files) {
      const response = await callProvider({ provider, wire, path: `${filePath(file)}/content` });
      for await (const line of linesOf(response)) yield resultOf(line);
    }
  },

  async cancel(batch) {
    await askProvider({ provider: batch.provider, wire, path: `${pathOf(batch)}/cancel`, method: 'POST' });
  },

  async remove(batch) {
    const { input_file_id, output_file_id, error_file_id } = await viewOf(batch);
    const ids = [input_file_id, output_file_id, error_file_id];
    await removeFiles(
      batch.provider,
      ids.filter((id) => typeof id === 'string'),
    );
  },
};

const viewOf = (batch: NativeBatch): Promise<JsonObject> =>
  askProvider({ provider: batch.provider, wire, path: pathOf(batch) });

/** Removes files, each of them even if another one cannot be removed. Throws the first failure. */
async function removeFiles(provider: Provider, ids: readonly string[]): Promise<void> {
  const removals = await Promise.allSettled(
    ids.map((id) => askProvider({ provider, wire, path: filePath(id), method: 'DELETE' })),
  );
  for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
}

async function upload({ provider, path, requests }: NativeOrder): Promise<string> {
  const lines = requests.map(
    ({ customId, body }) =>
      `{"custom_id":"${customId}","method":"POST","url":"/v1${path}","body":${body.replace(/[\r\n]+/g, ' ')}}\n`,
  );
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new File(lines, 'requests.jsonl', { type: 'application/jsonl' }));
  const { id } = await askProvider({ provider, wire, path: '/files', method: 'POST', body: form });
  if (typeof id === 'string') return id;
  throw new Refusal('upstream_unavailable');
}

/** A provider that keeps no metadata omits the member. */
const describe: BatchListing['describe'] = ({ created_at, request_counts, metadata }) => {
  const total = Number(objectOf(request_counts)['total']);
  return {
    mark: metadata === undefined ? undefined : (textOf(objectOf(metadata)[MARK]) ?? null),
    // The provider counts the requests when it has validated the file.
    size: total > 0 ? total : undefined,
    createdMs: Number(created_at) * 1_000,
  };
};

/** Returns the state of a batch with its result files. A batch that failed validation has no files. */
function stateOf({ status, output_file_id, error_file_id }: JsonObject): NativeState {
  if (!ended.has(status)) return { kind: 'running' };
  const results = [output_file_id, error_file_id].filter((id) => typeof id === 'string');
  return { kind: 'ended', results };
}

function resultOf({ custom_id, response, error }: JsonObject): NativeResult {
  const customId = String(custom_id);
  const { code } = objectOf(error);
  if (code === 'batch_expired') return { customId, kind: 'expired' };
  if (code === 'batch_cancelled') return { customId, kind: 'canceled' };
  const { status_code: status, body } = objectOf(response);
  const text = JSON.stringify(body ?? error ?? null);
  if (status === 200) return { customId, kind: 'answered', text };
  return { customId, kind: 'failed', status: Number(status ?? 500), text };
}
