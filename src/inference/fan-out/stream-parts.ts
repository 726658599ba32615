import { errorEnvelope } from '../../base/errors/envelope.ts';
import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import { stopping } from '../../edge/http/under-way.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';
import { noteFirstToken } from '../reply/note-first-token.ts';
import { settleAnswer } from '../reply/settle-answer.ts';
import { settleOrRefuse } from '../reply/settle-or-refuse.ts';
import { streamHeaders } from '../reply/stream-headers.ts';
import { MAX_OPEN_PARTS } from './ask-part.ts';
import { HeldEnds } from './held-ends.ts';
import { mergeStreams } from './merge-streams.ts';
import { type PartStep, partSteps } from './part-steps.ts';
import { countedUsageOfParts, usageOfParts } from './part-usage.ts';
import type { RequestPart, SplitRequest } from './split-request.ts';

const NO_USAGE: Usage = { input: { uncached: 0 }, output: { visible: 0 } };

/**
 * Streams the answers of all parts in parallel as one stream. The stream begins with the first part that
 * begins.
 */
export async function streamParts(split: SplitRequest): Promise<Reply | Refusal> {
  const steps = mergeStreams(
    split.parts.map((part) => partSteps(split, part)),
    MAX_OPEN_PARTS,
  );
  const { value: first } = await steps.next();
  if (!first || 'refusal' in first) {
    await endBeforeFirst(split, steps);
    return first?.refusal ?? new Refusal('internal_error');
  }
  noteFirstToken(split.inference.exchange);
  return {
    status: 200,
    headers: streamHeaders,
    body: (writer) => send({ split, steps, first }, writer),
  };
}

type Steps = AsyncGenerator<PartStep, void>;
type Sending = { split: SplitRequest; steps: Steps; first: PartStep };

/**
 * Ends a request of which nothing was delivered. Only a client that has left pays for the parts that had
 * begun.
 */
async function endBeforeFirst({ inference, parts, callOff }: SplitRequest, steps: Steps): Promise<void> {
  const { exchange } = inference;
  if (waitingSignal(exchange).aborted) {
    await readOn(steps);
    const usage = await countedUsageOfParts(parts);
    if (usage) await settleAnswer(inference, { usage });
  }
  callOff();
  await steps.return();
}

/**
 * Sends the merged stream. It runs to its end even if the client leaves, so that the usage up to then is
 * settled.
 */
async function send({ split, steps, first }: Sending, writer: BodyWriter): Promise<void> {
  const { inference, parts, callOff } = split;
  const { exchange, tab, services, pace } = inference;
  const signal = waitingSignal(exchange);
  let isInterrupted = false;
  const leave = services.open.add(() => {
    isInterrupted = true;
    callOff();
  });
  if (!exchange.recording?.isMadeAnew) tab.watch(() => usageOfParts(parts) ?? NO_USAGE);
  try {
    const ended = await passOn({ split, steps, first }, writer);
    if (signal.aborted || pace.hasLeft) await readOn(steps);
    if (ended instanceof ReaderGone || signal.aborted) {
      await settleParts(split, parts, 'left');
      if (ended instanceof ReaderGone) throw ended;
    } else if (ended) await fail(split, isInterrupted ? stopping() : ended, writer);
  } finally {
    leave();
    callOff();
    await steps.return();
  }
}

/**
 * Sends all parts to their ends. Returns the refusal of a failed part, or `ReaderGone` if the client left.
 */
async function passOn(
  { split, steps, first }: Sending,
  writer: BodyWriter,
): Promise<Refusal | ReaderGone | undefined> {
  const { pace } = split.inference;
  const ends = new HeldEnds(split);
  try {
    for (let step: PartStep | undefined = first; step; step = await next(steps)) {
      if ('refusal' in step) {
        await ends.write(writer);
        return step.refusal;
      }
      ends.onBegun(step.index);
      if ('text' in step) {
        const taken = writer.write(step.text);
        if (taken) await pace.until(taken);
        await ends.writeIfAllBegan(writer);
        continue;
      }
      ends.hold(step);
      const unsettled = ends.haveAllEnded ? await settleWhole(split, ends) : undefined;
      if (unsettled) {
        await writer.write(errorFrame(split.inference.exchange, unsettled));
        return undefined;
      }
      await ends.writeIfAllBegan(writer);
      if (ends.haveAllEnded) await writer.write(endOf(split));
    }
    return undefined;
  } catch (error) {
    if (error instanceof ReaderGone) return error;
    throw error;
  }
}

/** Keeps and settles the answers of all parts before the stream ends. Returns the reason if that failed. */
async function settleWhole(split: SplitRequest, ends: HeldEnds): Promise<Refusal | undefined> {
  const { exchange, tab } = split.inference;
  const { recording } = exchange;
  if (recording) await recording.keepStream(ends.text + endOf(split));
  const unsettled = await settleOrRefuse(settleParts(split, split.parts), exchange);
  if (!unsettled) return undefined;
  recording?.drop();
  await tab.close();
  return unsettled;
}

async function next(steps: Steps): Promise<PartStep | undefined> {
  const { value, done } = await steps.next();
  return done ? undefined : value;
}

async function readOn(steps: Steps): Promise<void> {
  while (!(await steps.next()).done);
}

/**
 * Ends the stream with an error. Finished answers are billed. If the request is at fault, the delivered
 * pieces of unfinished answers are billed too.
 */
async function fail(split: SplitRequest, refusal: Refusal, writer: BodyWriter): Promise<void> {
  const { exchange } = split.inference;
  split.callOff();
  const due = split.parts.filter(({ usage }) => usage.isFinished || isOwnError(refusal));
  await settleOrRefuse(settleParts(split, due, 'failed'), exchange);
  noteRefusal(exchange.notes, refusal);
  const closing = split.inference.tab.close();
  if (closing) await closing;
  await writer.write(errorFrame(exchange, refusal));
}

const errorFrame = ({ style }: Exchange, refusal: Refusal): string =>
  formatFrame({ data: JSON.stringify(errorEnvelope(style, refusal)) });

/** Settles the usage of the due parts. Nothing is recorded if no part has begun. */
async function settleParts(
  { inference }: SplitRequest,
  due: readonly RequestPart[],
  outcome?: 'left' | 'failed',
): Promise<void> {
  const usage = outcome ? await countedUsageOfParts(due) : usageOfParts(due);
  if (usage) await settleAnswer(inference, { usage, outcome });
}

const endOf = ({ inference, severalAnswers, parts, createdAt }: SplitRequest): string => {
  const { id, request, estimate } = inference;
  const head = {
    responseId: id,
    model: request.model,
    createdAt,
    request: parts[0]!.request,
    body: request.body,
  };
  const usage = usageOfParts(parts);
  return severalAnswers
    .closingFrames(head, usage && estimate.billed(usage))
    .map(formatFrame)
    .join('');
};
