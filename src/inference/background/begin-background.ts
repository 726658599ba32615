import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { noteModel } from '../admission/note-model.ts';
import { storedExpiry } from '../conversation/stored-expiry.ts';
import type { BackgroundArrival, BackgroundDialect } from '../request/background-starter.ts';
import type { Inference } from '../request/inference.ts';
import type { BackgroundResponse } from './background-store.ts';
import { followFrames } from './follow-frames.ts';
import { keptHeaders } from './kept-headers.ts';
import { giveBack, prepareBackground } from './prepare-background.ts';
import { HELD_MS, type RunningJobs } from './running-jobs.ts';

/** Checks a request, holds its credit and begins the response. */
export async function beginBackground(
  jobs: RunningJobs,
  arrived: BackgroundArrival,
): Promise<Reply | Refusal> {
  const { exchange, principal, body, dialect } = arrived;
  const { services, store, authenticator } = jobs.parts;
  noteModel(exchange, body.value.model);
  const checked = dialect.read(body);
  if (checked instanceof Refusal) return checked;
  const stored = { kind: 'response', name: nounOf(arrived) } as const;
  const full = services.storage.refuseAsFull(stored) ?? (await refuseStored(jobs, arrived));
  if (full) return full;
  const controller = new AbortController();
  const headers = keptHeaders(exchange.request.headers, exchange.snapshot);
  const jobExchange = jobs.createExchange(exchange.requestId, {
    path: dialect.runsInBackground.path,
    headers: { ...headers, ...forwardedFor(exchange) },
    signal: controller.signal,
    address: exchange.peer(),
  });
  const recognized = await authenticator.recognize(jobExchange, principal.apiKey.id);
  if (recognized instanceof Refusal) return recognized;
  const prepared = await prepareBackground(jobs.parts, { ...arrived, exchange: jobExchange });
  Object.assign(exchange.headers, jobExchange.headers);
  if (prepared instanceof Refusal) return prepared;
  exchange.handedOverTo = prepared.id;
  const row = queuedRow(arrived, { prepared, headers, now: services.clock.now() });
  await storeRow(jobs, row, prepared);
  jobs.run(jobs.createJob({ row, exchange: jobExchange, controller, dialect }), prepared);
  if (body.value.stream === true)
    return followFrames(store, row, {
      after: -1,
      clock: services.clock,
      style: exchange.style,
      open: services.open,
    });
  return { status: 200, body: row.envelope, headers: { 'content-type': 'application/json' } };
}

const storedBytes = ({ body }: BackgroundArrival): number => Buffer.byteLength(body.text) + STORED_ROW_BYTES;

const nounOf = ({ dialect }: BackgroundArrival): string => dialect.keepsAnswers?.noun ?? 'response';

/** Refuses a response for which the account has no storage left. */
const refuseStored = (
  { parts: { services } }: RunningJobs,
  arrived: BackgroundArrival,
): Promise<Refusal | undefined> =>
  services.storage.refuseStored(arrived.exchange, arrived.principal, {
    bytes: storedBytes(arrived),
    name: nounOf(arrived),
  });

/** The address of the client is checked when the request begins, and is not stored. */
function forwardedFor({ request }: Exchange): Record<string, string> {
  const forwarded = request.headers.get('x-forwarded-for');
  return forwarded === null ? {} : { 'x-forwarded-for': forwarded };
}

type QueuedRow = BackgroundResponse & { until: number };

function queuedRow(
  arrived: BackgroundArrival,
  { prepared, headers, now }: { prepared: Inference; headers: Record<string, string>; now: number },
): QueuedRow {
  const { exchange, principal, body, dialect } = arrived;
  return {
    id: prepared.id,
    requestId: exchange.requestId,
    keyId: principal.apiKey.id,
    accountId: principal.account.id,
    createdAt: now,
    ...storedExpiry(exchange, now),
    headers: JSON.stringify(headers),
    body: body.text,
    status: 'queued',
    envelope: queuedEnvelope(prepared, dialect, now),
    stored: storedBytes(arrived),
    attempts: 1,
    isCanceled: false,
  };
}

function queuedEnvelope(
  { id, request: { model, body, echo } }: Inference,
  { runsInBackground }: BackgroundDialect,
  now: number,
): string {
  const createdAt = Math.floor(now / 1_000);
  return runsInBackground.queued({ responseId: id, model, createdAt, body, echo });
}

/** Stores a response before it is begun. A failure releases the credit, the memory and the conversation. */
async function storeRow(jobs: RunningJobs, row: QueuedRow, prepared: Inference): Promise<void> {
  try {
    const heldUntil = row.createdAt + HELD_MS;
    await jobs.parts.store.createBackground({ ...row, holder: jobs.holder, heldUntil });
  } catch (error) {
    await prepared.tab.close();
    await giveBack(prepared);
    throw error;
  }
}
