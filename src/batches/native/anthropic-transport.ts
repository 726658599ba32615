import { lookUp } from '../../base/lib/records.ts';
import { VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { askProvider, callProvider, createBatch } from './call-provider.ts';
import { linesOf } from './lines-of.ts';
import { type ListedObject, listBatches } from './list-batches.ts';
import type { ListedBatch, NativeBatch, NativeResult, NativeTransport } from './native-transport.ts';

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
  async submit({ provider, path, requests, version }) {
    // The bodies are inserted unchanged, so the vendor gets the same bytes as in a single request.
    const items = requests.map(({ customId, body }) => `{"custom_id":"${customId}","params":${body}}`);
    const body = `{"requests":[${items.join(',')}]}`;
    return createBatch({
      provider,
      wire,
      path: `${path}/batches`,
      body,
      ...(version && { headers: { [VERSION_HEADER]: version } }),
    });
  },

  async *list(provider) {
    const pages = listBatches({ provider, wire, path: '/messages/batches', cursor: 'after_id' });
    for await (const { listed, nowMs } of pages) yield summaryOf(listed, nowMs);
  },

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

/** Message batches have no metadata. */
function summaryOf({ id, created_at, request_counts }: ListedObject, nowMs: number): ListedBatch {
  const counts = Object.values(Object(request_counts)).map(Number);
  const ageMs = nowMs - Date.parse(String(created_at));
  return {
    upstreamId: id,
    mark: undefined,
    size: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count),
    ageMs: Number.isNaN(ageMs) ? undefined : ageMs,
  };
}

type Line = {
  custom_id?: unknown;
  result?: { type?: unknown; message?: unknown; error?: { error?: { type?: unknown } } };
};

function resultOf({ custom_id, result }: Line): NativeResult {
  const customId = String(custom_id);
  if (result?.type === 'succeeded')
    return { customId, kind: 'answered', text: JSON.stringify(result.message) };
  if (result?.type === 'canceled' || result?.type === 'expired') return { customId, kind: result.type };
  const status = lookUp(statusOfType, String(result?.error?.error?.type)) ?? 500;
  return { customId, kind: 'failed', status, text: JSON.stringify(result?.error ?? null) };
}
