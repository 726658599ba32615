import type { Failure } from '../../model/wire.ts';
import { ANTHROPIC_MESSAGES } from '../../wires/anthropic-messages.ts';
import { sendFailure } from '../send-answer.ts';
import {
  type BatchCall,
  type BatchEndpoints,
  itemRequest,
  readJson,
  type SimulatedBatchParts,
} from './batch-call.ts';
import { jsonLines } from './json-lines.ts';
import { listPage } from './list-page.ts';
import { RecentValues } from './recent-values.ts';
import { type BatchItem, runBatch, type SimulatedBatch } from './run-batch.ts';

const PATH = /^\/messages\/batches(?:\/(?<id>[^/]+)(?:\/(?<action>cancel|results))?)?$/;
const DAY_SECONDS = 86_400;
const MAX_LISTED = 1_000;

const refuse = (failure: Failure): Response => sendFailure(ANTHROPIC_MESSAGES, failure);
const notFound = (): Response => refuse({ status: 404, message: 'There is no such batch.' });
const timeOf = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString();

/** Returns the endpoints of Anthropic's message batches. */
export function anthropicBatches(parts: SimulatedBatchParts): BatchEndpoints {
  const batches = new RecentValues<SimulatedBatch>();

  async function create(call: BatchCall): Promise<Response> {
    const { requests } = await readJson(call.request);
    const items = Array.isArray(requests) ? requests.map(itemOf) : [];
    if (items.length === 0 || items.some((item) => item === undefined))
      return refuse({ status: 400, message: 'requests: each needs a custom_id and params.' });
    const batch: SimulatedBatch = {
      id: parts.newId('msgbatch_'),
      createdSeconds: parts.nowSeconds(),
      items: items.filter((item) => item !== undefined),
    };
    batches.add(batch.id, batch);
    const ask = (body: unknown) => parts.answer(itemRequest(call, '/v1/messages', body));
    void runBatch(batch, ask, parts.nowSeconds);
    return Response.json(viewOf(batch, call.request.url));
  }

  function list(url: string): Response {
    const query = new URL(url).searchParams;
    const cursor = { after: query.get('after_id'), limit: query.get('limit') };
    const page = listPage(batches.all, cursor, MAX_LISTED);
    if (!page) return refuse({ status: 400, message: 'after_id or limit is invalid.' });
    const data = page.data.map((batch) => viewOf(batch, url));
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    return Response.json({ data, has_more: page.hasMore, ...ends });
  }

  function retrieveOrCancel(
    { request }: BatchCall,
    batch: SimulatedBatch,
    action: string | undefined,
  ): Response {
    const { method, url } = request;
    const isEnded = batch.endedSeconds !== undefined;
    if (method === 'GET' && action === 'results')
      return isEnded
        ? jsonLines(batch.items.map(lineOf))
        : refuse({ status: 400, message: 'The batch has no results yet.' });
    if (method === 'POST' && action === 'cancel') {
      if (!isEnded) batch.cancelledSeconds ??= parts.nowSeconds();
      return Response.json(viewOf(batch, url));
    }
    if (method === 'GET' && action === undefined) return Response.json(viewOf(batch, url));
    if (method !== 'DELETE' || action !== undefined) return notFound();
    if (!isEnded) return refuse({ status: 400, message: 'A batch in progress cannot be deleted.' });
    batches.remove(batch.id);
    return Response.json({ id: batch.id, type: 'message_batch_deleted' });
  }

  return async (call) => {
    const groups = PATH.exec(call.path)?.groups;
    if (!groups) return undefined;
    const { id, action } = groups;
    if (id !== undefined) {
      const batch = batches.get(id);
      return batch ? retrieveOrCancel(call, batch, action) : notFound();
    }
    if (call.request.method === 'POST') return create(call);
    return list(call.request.url);
  };
}

function itemOf(item: unknown): BatchItem | undefined {
  const { custom_id, params } = Object(item);
  return typeof custom_id === 'string' && typeof params === 'object' && params !== null
    ? { customId: custom_id, body: params }
    : undefined;
}

const isGood = ({ answer }: BatchItem): boolean => answer?.status === 200;

function viewOf(batch: SimulatedBatch, url: string) {
  const { id, items, createdSeconds, cancelledSeconds, endedSeconds } = batch;
  const isEnded = endedSeconds !== undefined;
  const stage = cancelledSeconds === undefined ? 'in_progress' : 'canceling';
  const succeeded = items.filter(isGood).length;
  const answered = items.filter(({ answer }) => answer !== undefined).length;
  const unanswered = items.length - answered;
  return {
    id,
    type: 'message_batch',
    archived_at: null,
    created_at: timeOf(createdSeconds),
    processing_status: isEnded ? 'ended' : stage,
    request_counts: {
      succeeded,
      errored: answered - succeeded,
      expired: 0,
      processing: isEnded ? 0 : unanswered,
      canceled: isEnded ? unanswered : 0,
    },
    ended_at: timeOf(endedSeconds),
    expires_at: timeOf(createdSeconds + DAY_SECONDS),
    cancel_initiated_at: timeOf(cancelledSeconds),
    results_url: isEnded ? new URL(`/v1/messages/batches/${id}/results`, url).href : null,
  };
}

const lineOf = (item: BatchItem) => ({ custom_id: item.customId, result: resultOf(item) });

function resultOf(item: BatchItem) {
  if (!item.answer) return { type: 'canceled' };
  return isGood(item)
    ? { type: 'succeeded', message: inBatchTier(item.answer.body) }
    : { type: 'errored', error: item.answer.body };
}

function inBatchTier(message: unknown): unknown {
  const { usage, ...members } = Object(message);
  return usage ? { ...members, usage: { ...usage, service_tier: 'batch' } } : message;
}
