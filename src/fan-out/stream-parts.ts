import type { Usage } from '../canonical/usage.ts';
import { errorEnvelope } from '../errors/envelope.ts';
import { Refusal } from '../errors/refusal.ts';
import type { BodyWriter, Reply } from '../http/reply.ts';
import { stopping } from '../http/under-way.ts';
import { formatFrame } from '../protocols/format-frame.ts';
import { streamHeaders } from '../stream/stream-reply.ts';
import { AT_A_TIME } from './ask-part.ts';
import type { Parts } from './asked.ts';
import { sumOf } from './join-parts.ts';
import { mergeStreams } from './merge-streams.ts';
import { partSteps, type Step } from './part-steps.ts';

/** Streamed answers to the parts, side by side in one stream: it begins with the first of them that does. */
export async function streamParts(parts: Parts): Promise<Reply | Refusal> {
  const usages: (Usage | undefined)[] = [];
  const steps = mergeStreams(
    parts.requests.map((_, index) => partSteps(parts, index, usages)),
    AT_A_TIME,
  );
  const { value: first } = await steps.next();
  if (!first || 'refusal' in first) {
    parts.callOff();
    await steps.return();
    return first?.refusal ?? new Refusal('internal_error');
  }
  return {
    status: 200,
    headers: streamHeaders,
    body: (writer) => send({ parts, steps, first, usages }, writer),
  };
}

type Sending = {
  parts: Parts;
  steps: AsyncGenerator<Step, void>;
  first: Step;
  usages: readonly (Usage | undefined)[];
};

/** Runs to its end even when the client leaves, like the stream of one answer: what was produced until then is settled. */
async function send({ parts, steps, first, usages }: Sending, writer: BodyWriter): Promise<void> {
  const { exchange, settle, open } = parts.asked;
  let isInterrupted = false;
  let settled = false;
  const settleOnce = async () => {
    if (settled) return;
    settled = true;
    await settle({ exchange, usage: sumOf(usages) });
  };
  const leave = open.add(() => {
    isInterrupted = true;
    parts.callOff();
  });
  try {
    let unfinished = parts.requests.length;
    for await (const step of from(first, steps)) {
      if (exchange.request.signal.aborted) return; // nobody listens: what was produced is settled below
      if ('refusal' in step) {
        settled = true; // a stream that the upstream or our own stop broke costs nothing
        const refusal = isInterrupted ? stopping() : step.refusal;
        exchange.notes.errorCode = refusal.code;
        await writer.write(formatFrame({ data: JSON.stringify(errorEnvelope(exchange.style, refusal)) }));
        return;
      }
      const isLast = 'closing' in step && --unfinished === 0;
      if (isLast) await settleOnce();
      await writer.write(
        'text' in step ? step.text : step.closing + (isLast ? endOf(parts, sumOf(usages)) : ''),
      );
    }
  } finally {
    leave();
    parts.callOff();
    await steps.return();
    await settleOnce();
  }
}

async function* from(first: Step, others: AsyncGenerator<Step, void>): AsyncGenerator<Step, void> {
  yield first;
  yield* others;
}

const endOf = ({ asked, several, requests, createdAt }: Parts, usage: Usage | undefined): string => {
  const { id, request } = asked;
  const head = { responseId: id, model: request.model, createdAt, request: requests[0]!, body: request.body };
  return several.closingFrames(head, usage).map(formatFrame).join('');
};
