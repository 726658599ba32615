import { errorEnvelope } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { styleOfPath } from '../../base/errors/style-of-path.ts';
import type { BodyWriter, WrittenBody } from '../../edge/http/reply.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';
import { InteractionEvents } from '../../translation/protocols/interactions/interaction-events.ts';
import { KeepAliveComments } from '../stream/keep-alive-comments.ts';
import { writeText } from '../stream/write-text.ts';
import { frameIdPrefix, framesAfter } from './frame-numberer.ts';
import type { RecordedPart, RecordingStore } from './recording-store.ts';

/** The part of a log that a reader may see now. `lost`: the log ends here, without the end of its stream. */
export type LogSight = { parts: number; state: 'open' | 'ended' | 'lost'; changed: Promise<unknown> };

export type FollowedLog = {
  requestId: string;
  path: string;
  /** Its frames have ids. */
  hasIds: boolean;
  store: Pick<RecordingStore, 'loadParts'>;
  look(): Promise<LogSight>;
  keepAliveMs: number;
  /** The comments that keep a silent stream open. */
  keepAlive: string;
};

/** Returns a body with the frames of a log after a frame, those to come included. */
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
    for (let loaded = await load(log, { frame, parts, from }); loaded.length > 0; ) {
      for (const { part, lastFrame, text } of loaded) {
        from = part + 1;
        if (text === '') continue;
        const taken = writeText(writer, framesAfter(text, lastFrame, frame));
        frame = lastFrame;
        if (taken) await taken;
      }
      loaded = await load(log, { frame, parts, from });
    }
    if (state === 'ended') return;
    if (state === 'lost') return void (await writer.write(lastFrameOf(log, frame)));
    await changed;
  }
}

/** A log can be longer than what fits into memory, so a reader has a few parts of it at a time. */
const load = (
  { store, requestId }: FollowedLog,
  after: Parameters<FollowedLog['store']['loadParts']>[1],
): Promise<RecordedPart[]> => (after.from < after.parts ? store.loadParts(requestId, after) : NOTHING);

const NOTHING: Promise<RecordedPart[]> = Promise.resolve([]);

const INTERACTIONS = /^\/v1(?:beta)?\/interactions$/;

/** Returns the frame at the end of a stream whose process has died. */
const lastFrameOf = ({ requestId, path, hasIds }: FollowedLog, frames: number): string =>
  (hasIds ? `id: ${frameIdPrefix(requestId)}${frames + 1}\n` : '') + brokenFrame(path, frames);

function brokenFrame(path: string, frames: number): string {
  const refusal = new Refusal('upstream_unavailable', { message: 'The stream broke off on the server.' });
  if (INTERACTIONS.test(path)) return formatFrame(new InteractionEvents(frames).error(refusal));
  if (path.startsWith('/v1/responses')) {
    const { code, message } = refusal;
    const event = { type: 'error', code, message, param: null, sequence_number: frames };
    return formatFrame({ event: 'error', data: JSON.stringify(event) });
  }
  const style = styleOfPath(path);
  const data = JSON.stringify(errorEnvelope(style, refusal));
  return formatFrame(style === 'messages' ? { event: 'error', data } : { data });
}
