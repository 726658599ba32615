import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import { stopping } from '../../edge/http/under-way.ts';
import type { BackgroundForm } from '../../translation/contract/background-form.ts';
import { errorFrame } from '../../translation/protocols/error-frame.ts';
import { streamHeaders } from '../reply/stream-headers.ts';
import { keepAliveOf } from '../stream/keep-alive-comments.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import { backgroundFormOf } from './background-form-of.ts';
import {
  type BackgroundReader,
  type BackgroundResponse,
  type FramePart,
  isUnfinished,
} from './background-store.ts';
import { dataOfFrame } from './data-of-frame.ts';

const LOOK_EVERY_MS = 100;
const KEEP_ALIVE_EVERY_MS = 15_000;

type FollowedResponse = Pick<BackgroundResponse, 'id' | 'keyId'>;
type Following = {
  /** The number of the last event that the client has, or a negative number. */
  after: number;
  clock: Clock;
  style: EnvelopeStyle;
  /** Interrupts the stream when the server stops. The response itself continues elsewhere. */
  open: Pick<OpenAnswers, 'add'>;
};

/**
 * Streams the frames of a response after a sequence number, including frames that do not exist yet. Any node
 * has them.
 */
export function followFrames(
  store: BackgroundReader,
  { id, keyId }: FollowedResponse,
  { after, clock, style, open }: Following,
): Reply {
  const form = backgroundFormOf(id);
  let isInterrupted = false;
  const follow = async (writer: BodyWriter): Promise<void> => {
    let last = after;
    let parts = 0;
    let quietSince = performance.now();
    for (;;) {
      // The status is read first, so that no frame before the end is missed.
      const progress = await store.findProgress({ id, keyId, now: clock.now() });
      // Frames of two attempts belong to different answers.
      if (progress && progress.parts < parts) return end(writer, { form, last, refusal: madeAgain() });
      parts = progress?.parts ?? 0;
      for await (const { lastNumber, frames } of partsAfter(store, id, last)) {
        await writer.write(framesAfter(frames, last, form));
        last = lastNumber;
        quietSince = performance.now();
      }
      if (!progress) return;
      if (!isUnfinished(progress)) {
        if (last === after && (await isBeyondEnd(store, id, after)))
          await end(writer, { form, last, refusal: madeAgain() });
        return;
      }
      if (isInterrupted) return end(writer, { form, last, refusal: stopping() });
      if (performance.now() - quietSince >= KEEP_ALIVE_EVERY_MS) {
        await writer.write(keepAliveOf(style));
        quietSince = performance.now();
      }
      await Bun.sleep(LOOK_EVERY_MS);
    }
  };
  const body = (writer: BodyWriter): Promise<void> => {
    const leave = open.add(() => {
      isInterrupted = true;
    });
    return follow(writer).finally(leave);
  };
  return { status: 200, headers: streamHeaders, body };
}

const madeAgain = (): Refusal =>
  new Refusal('upstream_unavailable', {
    message: 'The answer is made again, since its server stopped. Read the stream from its start.',
  });

type StreamEnd = { form: BackgroundForm; last: number; refusal: Refusal };

/** Ends a stream whose response has not ended. */
async function end(writer: BodyWriter, { form, last, refusal }: StreamEnd): Promise<void> {
  await writer.write(errorFrame(form.path, refusal, last + 1));
}

/** Reports whether a client has an event that the finished stream lacks. An earlier attempt has sent it. */
const isBeyondEnd = async (store: BackgroundReader, id: string, after: number): Promise<boolean> =>
  after > 0 && (await store.loadFrames(id, after - 1)).length === 0;

/** Yields the parts in order. Their texts together can be as long as the longest answer. */
async function* partsAfter(store: BackgroundReader, id: string, after: number): AsyncGenerator<FramePart> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const parts: FramePart[] = await store.loadFrames(id, last);
    yield* parts;
    last = parts.at(-1)?.lastNumber;
  }
}

/** Returns the frames of a part that come after a sequence number. */
function framesAfter(frames: string, after: number, form: BackgroundForm): string {
  if (after < 0) return frames;
  return frames
    .split(/(?<=\n\n)/)
    .filter((frame) => (form.numberOf(dataOfFrame(frame) ?? '{}') ?? Number.POSITIVE_INFINITY) > after)
    .join('');
}
