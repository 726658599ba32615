import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { msOf } from '../../base/lib/units.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyWriter, Reply, WrittenBody } from '../../edge/http/reply.ts';
import { failureText } from '../carriage/same-wire-carriage.ts';
import type { Inference } from '../request/inference.ts';
import { KeepAliveComments, keepAliveOf } from '../stream/keep-alive-comments.ts';
import { streamHeaders } from './stream-headers.ts';

type Work = Promise<Reply | Refusal>;
const LATE = Symbol('late');

/**
 * Delays the head of a stream until the answer has begun, so that an earlier failure has its own status. The
 * delay is shorter than the timeouts of proxies and clients. After it the head is sent while the work
 * continues, and later failures are reported in the stream.
 */
export async function commitInTime(work: Work, inference: Inference): Promise<Reply | Refusal> {
  const { exchange } = inference;
  const reply = await inTime(work, msOf(exchange.snapshot.config.limits.stream_commit_s));
  if (reply instanceof Refusal) return reply;
  if (reply === LATE) {
    keepBooked(work, exchange);
    const body: WrittenBody = (writer) => sendLate(work, inference, writer);
    return { status: 200, headers: streamHeaders, body: keptAlive(exchange, { body, atOnce: true }) };
  }
  const body = asWritten(reply.body);
  return body ? { ...reply, body: keptAlive(exchange, { body, atOnce: false }) } : reply;
}

function inTime(work: Work, timeoutMs: number): Promise<Reply | Refusal | typeof LATE> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(LATE), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Other targets may still need the request's body. Its memory is released when one of them has begun to
 * answer.
 */
function keepBooked(work: Work, exchange: Exchange): void {
  const { release } = exchange;
  if (!release) return;
  delete exchange.release;
  work.then(release, release);
}

const keptAlive =
  ({ snapshot, style }: Exchange, { body, atOnce }: { body: WrittenBody; atOnce: boolean }): WrittenBody =>
  async (writer) => {
    const intervalMs = msOf(snapshot.config.limits.keep_alive_s);
    const comments = new KeepAliveComments(writer, intervalMs, keepAliveOf(style));
    if (atOnce) comments.add();
    try {
      await body(comments);
    } finally {
      comments.stop();
    }
  };

/** Waits for the work even if the client has left, since the work must be ended in order. */
async function sendLate(work: Work, inference: Inference, writer: BodyWriter): Promise<void> {
  const { exchange, services } = inference;
  const reply = await services.open.unlessStopped(work).catch((error: unknown) => {
    exchange.reportFailure(error);
    return refusalOfError(error);
  });
  const body = reply instanceof Refusal ? undefined : asWritten(reply.body);
  if (body) return body(writer);
  work.then(endUnsent).catch(() => {}); // the answer has failed for its client already
  const refusal = reply instanceof Refusal ? reply : new Refusal('internal_error');
  noteRefusal(exchange.notes, refusal);
  const closing = inference.tab.close();
  if (closing) await closing;
  await writer.write(failBefore(inference, refusal));
}

/**
 * Ends an answer that begins after its stream was interrupted, as if its client had left. Its call would keep
 * its slot at the provider otherwise.
 */
async function endUnsent(reply: Reply | Refusal): Promise<void> {
  if (!(reply instanceof Refusal)) await asWritten(reply.body)?.(nobody);
}

const nobody: BodyWriter = {
  write() {
    throw new ReaderGone();
  },
};

function failBefore({ exchange, dialect, request, id, estimate }: Inference, refusal: Refusal): string {
  const label = { id, model: request.model, estimate };
  return failureText({ dialect, request, label, style: exchange.style }, refusal);
}
