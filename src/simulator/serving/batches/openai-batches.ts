import { parseJson } from '../../model/parse-json.ts';
import type { Failure } from '../../model/wire.ts';
import { OPENAI_CHAT } from '../../wires/openai-chat.ts';
import { sendFailure } from '../send-answer.ts';
import {
  type BatchCall,
  type BatchEndpoints,
  itemRequest,
  readJson,
  type SimulatedBatchParts,
} from './batch-call.ts';
import { listPage } from './list-page.ts';
import { OpenaiFiles } from './openai-files.ts';
import { RecentValues } from './recent-values.ts';
import { type BatchItem, runBatch, type SimulatedBatch } from './run-batch.ts';

const BATCHES = /^\/batches(?:\/(?<id>[^/]+)(?<cancel>\/cancel)?)?$/;
const ENDPOINTS = new Set(['/v1/chat/completions', '/v1/responses', '/v1/completions', '/v1/embeddings']);
const DAY_SECONDS = 86_400;
const MAX_LISTED = 100;

type OpenAiBatch = SimulatedBatch & { inputFile: string; endpoint: string; metadata: unknown };

const refuse = (failure: Failure): Response => sendFailure(OPENAI_CHAT, failure);
const notFound = (what: string): Response => refuse({ status: 404, message: `There is no such ${what}.` });

/**
 * Returns the endpoints of OpenAI's files and batches. A file of results has the id of its batch in its own.
 */
export function openaiBatches(parts: SimulatedBatchParts): BatchEndpoints {
  const files = new OpenaiFiles(parts);
  const batches = new RecentValues<OpenAiBatch>();

  async function create(call: BatchCall): Promise<Response> {
    const { input_file_id, endpoint, metadata = null } = await readJson(call.request);
    const file = files.get(String(input_file_id));
    if (!file) return refuse({ status: 400, message: 'The input file is unknown.', param: 'input_file_id' });
    if (typeof endpoint !== 'string' || !ENDPOINTS.has(endpoint))
      return refuse({ status: 400, message: `Unknown endpoint '${endpoint}'.`, param: 'endpoint' });
    if (!isMetadata(metadata))
      return refuse({ status: 400, message: 'Metadata are at most 16 texts.', param: 'metadata' });
    const items = readItems(file.text, endpoint);
    if (typeof items === 'string') return refuse({ status: 400, message: items, param: 'input_file_id' });
    const batch: OpenAiBatch = {
      id: parts.newId('batch_'),
      createdSeconds: parts.nowSeconds(),
      items,
      inputFile: file.id,
      endpoint,
      metadata,
    };
    batches.add(batch.id, batch);
    const ask = (body: unknown) => parts.answer(itemRequest(call, endpoint, body));
    void runBatch(batch, ask, parts.nowSeconds).then(() => keepResults(batch));
    return Response.json(batchView(batch));
  }

  /** Puts the lines of an ended batch into the two files that its view names. */
  function keepResults(batch: OpenAiBatch): void {
    for (const [kind, items] of Object.entries(resultsOf(batch))) {
      if (items.length === 0) continue;
      const id = `${batch.id}-${kind}`;
      const text = items.map((item) => `${JSON.stringify(lineOf(item, batch))}\n`).join('');
      files.keep({ id, name: `${id}.jsonl`, purpose: 'batch_output', text });
    }
  }

  function list(url: string): Response {
    const query = new URL(url).searchParams;
    const cursor = { after: query.get('after'), limit: query.get('limit') };
    const page = listPage(batches.all, cursor, MAX_LISTED);
    if (!page) return refuse({ status: 400, message: 'Invalid after or limit.', param: 'after' });
    const data = page.data.map(batchView);
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    return Response.json({ object: 'list', data, ...ends, has_more: page.hasMore });
  }

  async function answerBatches(call: BatchCall, { id, cancel }: Partial<Record<string, string>>) {
    const { method } = call.request;
    if (id === undefined) {
      if (method === 'POST') return create(call);
      return list(call.request.url);
    }
    const batch = batches.get(id);
    if (!batch) return notFound('batch');
    if (cancel !== undefined && method === 'POST' && batch.endedSeconds === undefined)
      batch.cancelledSeconds ??= parts.nowSeconds();
    return Response.json(batchView(batch));
  }

  return async (call) => {
    const aboutFiles = await files.answer(call);
    if (aboutFiles) return aboutFiles;
    const batch = BATCHES.exec(call.path)?.groups;
    return batch && answerBatches(call, batch);
  };
}

/** At most 16 pairs, with names of 64 characters and texts of 512. */
const isMetadata = (metadata: unknown): boolean =>
  metadata === null ||
  (typeof metadata === 'object' &&
    !Array.isArray(metadata) &&
    Object.keys(metadata).length <= 16 &&
    Object.entries(metadata).every(
      ([name, text]) => name.length <= 64 && typeof text === 'string' && text.length <= 512,
    ));

/** Reads the lines of an input file, or returns what is wrong with them. */
function readItems(text: string, endpoint: string): BatchItem[] | string {
  const items: BatchItem[] = [];
  for (const [index, line] of text.trim().split('\n').entries()) {
    const { custom_id, method, url, body } = Object(parseJson(line));
    const isRight = typeof custom_id === 'string' && method === 'POST' && url === endpoint;
    if (!isRight || typeof body !== 'object' || body === null)
      return `Line ${index + 1} needs custom_id, method POST, the url ${endpoint} and a body.`;
    items.push({ customId: custom_id, body });
  }
  return items;
}

const isGood = ({ answer }: BatchItem): boolean => answer?.status === 200;

const resultsOf = ({ items }: SimulatedBatch) => ({
  output: items.filter(isGood),
  errors: items.filter((item) => !isGood(item)),
});

const lineOf = ({ customId, answer }: BatchItem, { id }: SimulatedBatch) => ({
  id: `${id}-${customId}`,
  custom_id: customId,
  response: answer
    ? { status_code: answer.status, request_id: `${id}-${customId}`, body: answer.body }
    : null,
  error: answer ? null : { code: 'batch_cancelled', message: 'The batch was cancelled.' },
});

function statusOf({ cancelledSeconds, endedSeconds }: OpenAiBatch): string {
  const isEnded = endedSeconds !== undefined;
  if (cancelledSeconds !== undefined) return isEnded ? 'cancelled' : 'cancelling';
  return isEnded ? 'completed' : 'in_progress';
}

function batchView(batch: OpenAiBatch) {
  const { id, endpoint, inputFile, metadata, items, createdSeconds, cancelledSeconds, endedSeconds } = batch;
  const isEnded = endedSeconds !== undefined;
  const isCancelled = cancelledSeconds !== undefined;
  const { output, errors } = resultsOf(batch);
  const fileOf = (kind: string, lines: readonly BatchItem[]) =>
    isEnded && lines.length > 0 ? `${id}-${kind}` : null;
  return {
    id,
    object: 'batch',
    endpoint,
    errors: null,
    input_file_id: inputFile,
    completion_window: '24h',
    status: statusOf(batch),
    output_file_id: fileOf('output', output),
    error_file_id: fileOf('errors', errors),
    created_at: createdSeconds,
    in_progress_at: createdSeconds,
    expires_at: createdSeconds + DAY_SECONDS,
    expired_at: null,
    failed_at: null,
    finalizing_at: endedSeconds ?? null,
    completed_at: isEnded && !isCancelled ? endedSeconds : null,
    cancelling_at: cancelledSeconds ?? null,
    cancelled_at: isEnded && isCancelled ? endedSeconds : null,
    request_counts: {
      total: items.length,
      completed: output.length,
      failed: items.filter((item) => item.answer !== undefined && !isGood(item)).length,
    },
    metadata,
  };
}
