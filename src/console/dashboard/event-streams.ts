import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import type { Audience } from './audience.ts';
import { Bell } from './bell.ts';
import { EventFeed, type FeedSources } from './event-feed.ts';
import type { EventTopic } from './event-topics.ts';
import { parsePlace } from './feed-place.ts';

/** A comment after this time keeps proxies from closing the connection. The session is checked then too. */
const COMMENT_EVERY_MS = 15_000;
/**
 * A page that is hidden or closed ends its stream, so a person needs few. Another one ends the oldest of the
 * session.
 */
const MAX_OF_SESSION = 12;
/** The time after which a browser connects again. */
const RETRY_MS = 2_000;

export type StreamOrder = {
  exchange: Exchange;
  sessionId: string;
  topics: ReadonlySet<EventTopic>;
  audience: Audience;
  /** Returns the listener with its roles of now, or undefined once the session has ended. */
  currentAudience: () => Promise<Audience | undefined>;
};

/** The streams of events to the pages that are open. */
export class EventStreams {
  readonly #sources: FeedSources;
  readonly #commentEveryMs: number;
  readonly #open = new Set<OpenStream>();
  #isClosed = false;

  constructor(sources: FeedSources, commentEveryMs = COMMENT_EVERY_MS) {
    this.#sources = sources;
    this.#commentEveryMs = commentEveryMs;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  open(order: StreamOrder): Reply {
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      body: (writer) => this.#write(writer, order),
    };
  }

  /** Ends all streams, because the server stops. Browsers connect to another one. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  async #write(writer: BodyWriter, order: StreamOrder): Promise<void> {
    const { exchange, sessionId, topics, audience } = order;
    const from = parsePlace(exchange.request.headers.get('last-event-id'));
    const stream = new OpenStream(sessionId);
    if (this.#isClosed) stream.end();
    this.#admit(stream);
    const { signal } = exchange.request;
    const end = () => stream.end();
    signal.addEventListener('abort', end);
    const feed = new EventFeed(this.#sources, { topics, audience, from }, () => stream.bell.ring());
    try {
      await writer.write(`retry: ${RETRY_MS}\n\n`);
      await feed.start();
      await this.#writeFrames(writer, { stream, feed, order });
    } finally {
      feed.stop();
      signal.removeEventListener('abort', end);
      this.#open.delete(stream);
    }
  }

  /**
   * Writes the frames of the feed, and comments while there are none, until the stream or the session ends.
   */
  async #writeFrames(
    writer: BodyWriter,
    { stream, feed, order }: { stream: OpenStream; feed: EventFeed; order: StreamOrder },
  ): Promise<void> {
    let checkedAt = performance.now();
    while (!stream.isOver) {
      const hasRung = await stream.bell.wait(this.#commentEveryMs);
      // Events that come without a pause must not keep a stream open that its session does not allow any
      // more.
      if (!hasRung || performance.now() - checkedAt >= this.#commentEveryMs) {
        const audience = await order.currentAudience();
        if (!audience) return;
        feed.audience = audience;
        checkedAt = performance.now();
      }
      const text = feed.takeFrames();
      if (text !== '') await writer.write(text);
      else if (!hasRung) await writer.write(': still here\n\n');
    }
  }

  /** Adds a stream, and ends the oldest of its session beyond the maximum. Ended ones are closing already. */
  #admit(stream: OpenStream): void {
    const ofSession = [...this.#open].filter(
      ({ sessionId, isOver }) => sessionId === stream.sessionId && !isOver,
    );
    if (ofSession.length >= MAX_OF_SESSION) ofSession[0]!.end();
    this.#open.add(stream);
  }
}

/** A stream that is being written. */
class OpenStream {
  readonly sessionId: string;
  readonly bell = new Bell();
  isOver = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  end(): void {
    this.isOver = true;
    this.bell.ring();
  }
}
