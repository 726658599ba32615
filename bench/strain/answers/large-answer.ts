import type { StrainAnswer } from '../strain-models.ts';
import type { StreamParts, WireAnswers } from './wire-answers.ts';

const MEGABYTE = 1024 * 1024;
const DELTA_BYTES = 16 * 1024;
const WORDS = 'Words of an answer.\n';
const SMALL_TEXT = 'Hello. ';

const textOf = (megabytes: number): string => WORDS.repeat((megabytes * MEGABYTE) / WORDS.length);

const eventStream = (body: string | ReadableStream): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } });

/** Sends many deltas. Each is sent when the reader has taken the previous delta. */
function streamDeltas({ begin, delta, end }: StreamParts, megabytes: number): ReadableStream {
  const event = delta('x'.repeat(DELTA_BYTES));
  let missing = Math.ceil((megabytes * MEGABYTE) / event.length);
  return new ReadableStream({
    start: (controller) => controller.enqueue(begin),
    pull(controller) {
      if (missing === 0) {
        controller.enqueue(end);
        controller.close();
      } else {
        controller.enqueue(event);
        missing -= 1;
      }
    },
  });
}

const neverEnding = (events: string): ReadableStream =>
  new ReadableStream({ start: (controller) => controller.enqueue(events) });

/** Returns an answer on a wire. A wire without streams refuses them. */
export function largeAnswer({ whole, stream }: WireAnswers, answer: StrainAnswer): Response {
  if (answer.kind === 'whole') return Response.json(whole(textOf(answer.megabytes)));
  if (stream === null) return new Response('this wire has no streams', { status: 400 });
  const first = stream.begin + stream.delta(SMALL_TEXT);
  switch (answer.kind) {
    case 'many-deltas':
      return eventStream(streamDeltas(stream, answer.megabytes));
    case 'large-delta':
      return eventStream(first + stream.delta(textOf(answer.megabytes)) + stream.end);
    case 'idle':
      return eventStream(neverEnding(first));
  }
}
