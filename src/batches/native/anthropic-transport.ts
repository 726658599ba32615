import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import { VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { askProvider, callProvider } from './call-provider.ts';
import { createNativeBatch } from './create-native-batch.ts';
import { linesOf } from './lines-of.ts';
import { type BatchListing, listBatches } from './list-batches.ts';
import type { NativeBatch, NativeResult, NativeTransport } from './native-transport.ts';

const wire = 'anthropic-messages';
const pathOf = ({ upstreamId }: NativeBatch): string => `/messages/batches/${encodeURIComponent(upstreamId)}`;

/** The status for each error type in results. Other types are failures of the vendor. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 403,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Message batches of Anthropic: https://platform.claude.com/docs/en/api/messages/batches */
export const anthropicTransport: NativeTransport = {
  settleMs: 5_000,

  async submit({ provider, path, requests, version }) {
    // The bodies are inserted unchanged, so the vendor gets the same bytes as in a single request.
    const items = requests.map(({ customId, body }) => `{"custom_id":"${customId}","params":${body}}`);
    const body = `{"requests":[${items.join(',')}]}`;
    return createNativeBatch({
      provider,
      wire,
      path: `${path}/batches`,
      body,
      ...(version && { headers: { [VERSION_HEADER]: version } }),
    });
  },

  list: (provider) =>
    listBatches({ provider, wire, path: '/messages/batches', cursor: 'after_id', describe }),

  async poll(batch) {
    const view = await askProvider({ provider: batch.provider, wire, path: pathOf(batch) });
    return view.processing_status === 'ended' ? { kind: 'ended', results: ['all'] } : { kind: 'running' };
  },

  async *results(batch) {
    // The documented path is used, since the URL in the answer can point anywhere.
    const path = `${pathOf(batch)}/results`;
    const response = await callProvider({ provider: batch.provider, wire, path });
    for await (const line of linesOf(response)) yield resultOf(line);
  },

  async cancel(batch) {
    await askProvider({ provider: batch.provider, wire, path: `${pathOf(batch)}/cancel`, method: 'POST' });
  },

  async remove(batch) {
    await askProvider({ provider: batch.provider, wire, path: pathOf(batch), method: 'DELETE' });
  },
};

/** Message batches have no metadata. Their requests are counted by state. */
const describe: BatchListing['describe'] = ({ created_at, request_counts }) => {
  const counts = Object.values(objectOf(request_counts)).map(Number);
  return {
    mark: undefined,
    size: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count),
    createdMs: Date.parse(String(created_at)),
  };
};

function resultOf({ custom_id, result }: JsonObject): NativeResult {
  const customId = String(custom_id);
  const { type, message, error } = objectOf(result);
  if (type === 'succeeded') return { customId, kind: 'answered', text: JSON.stringify(message) };
  if (type === 'canceled' || type === 'expired') return { customId, kind: type };
  const errorType = textOf(objectOf(objectOf(error)['error'])['type']);
  const status = lookUp(statusOfType, errorType) ?? 500;
  return { customId, kind: 'failed', status, text: JSON.stringify(error ?? null) };
}
