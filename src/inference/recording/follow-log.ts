import { Refusal } from '../../base/errors/refusal.ts';
import type { BodyWriter, WrittenBody } from '../../edge/http/reply.ts';
import { errorFrame } from '../../translation/protocols/error-frame.ts';
import { KeepAliveComments } from '../stream/keep-alive-comments.ts';
import { writeText } from '../stream/write-text.ts';
import { frameIdPrefix, framesAfter } from './frame-numberer.ts';
import type { PartsAfter, RecordedPart, RecordingStore } from './recording-store.ts';

/** The part of a log that a reader may see now. `lost`: the log ends here, without the end of its stream. */
export type LogSight = { parts: number; state: 'open' | 'ended' | 'lost'; changed: Promise<unknown> };

/** A log of frames, and how its reader is kept waiting. */
export type FollowedLog = {
  requestId: string;
  path: string;
  /** True if the frames have ids. */
  hasIds: boolean;
  store: Pick<RecordingStore, 'loadParts'>;
  look(): Promise<LogSight>;
  keepAliveMs: number;
  /** The comments that keep a silent stream open. */
  keepAlive: string;
};

/** Returns a body with the frames of a log after a frame, including frames that do not exist yet. */
export const followLog =
  (log: FollowedLog, after: number): WrittenBody =>
  async (writer) => {
    const comments = new KeepAliveComments(writer, log.keepAliveMs, log.keepAlive);
    try {
      await sendFrames(log, after, comments);
    } finally {
      comments.stop();
    }
  };

async function sendFrames(log: FollowedLog, after: number, writer: BodyWriter): Promise<void> {
  let frame = after;
  let from = 0;
  for (;;) {
    const { parts, state, changed } = await log.look();
    for await (const { part, lastFrame, text } of partsAfter(log, { frame, parts, from })) {
      from = part + 1;
      if (text === '') continue;
      const taken = writeText(writer, framesAfter(text, lastFrame, frame));
      frame = lastFrame;
      if (taken) await taken;
    }
    if (state === 'ended') return;
    if (state === 'lost') return void (await writer.write(lastFrameOf(log, frame)));
    await changed;
  }
}

/** Yields the parts in order. A log can be longer than the memory, so it loads a few parts at a time. */
async function* partsAfter(
  { store, requestId }: FollowedLog,
  { frame, parts, from }: PartsAfter,
): AsyncGenerator<RecordedPart> {
  let wanted = { frame, parts, from };
  while (wanted.from < parts) {
    const loaded = await store.loadParts(requestId, wanted);
    yield* loaded;
    const last = loaded.at(-1);
    if (!last) return;
    wanted = { frame: Math.max(wanted.frame, last.lastFrame), parts, from: last.part + 1 };
  }
}

const interrupted = new Refusal('upstream_unavailable', { message: 'The stream broke off on the server.' });

/** Returns the frame at the end of a stream whose process has died. */
const lastFrameOf = ({ requestId, path, hasIds }: FollowedLog, frames: number): string =>
  (hasIds ? `id: ${frameIdPrefix(requestId)}${frames + 1}\n` : '') + errorFrame(path, interrupted, frames);
