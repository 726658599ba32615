import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import type { Audience } from './event-audience.ts';
import { EventFeed, type EventTopic, type FeedSources, placeOf } from './event-feed.ts';

/** A comment after this time keeps proxies from closing the connection. The session is checked then too. */
const COMMENT_EVERY_MS = 15_000;
/** A page that is hidden or closed ends its stream, so a person needs few. The oldest of a session ends. */
const MAX_OF_SESSION = 12;
/** The time after which a browser connects again. */
const RETRY_MS = 2_000;

export type StreamOrder = {
  exchange: Exchange;
  sessionId: string;
  topics: ReadonlySet<EventTopic>;
  audience: Audience;
  /** Returns who listens now, or undefined once the session has ended. */
  stillThere: () => Promise<Audience | undefined>;
};

type OpenStream = { sessionId: string; end: () => void };

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
    for (const { end } of this.#open) end();
  }

  async #write(writer: BodyWriter, order: StreamOrder): Promise<void> {
    const { exchange, sessionId, topics, audience, stillThere } = order;
    const from = placeOf(exchange.request.headers.get('last-event-id'));
    const bell = new Bell();
    let isOver = this.#isClosed;
    const stream = {
      sessionId,
      end: () => {
        isOver = true;
        bell.ring();
      },
    };
    this.#admit(stream);
    const { signal } = exchange.request;
    signal.addEventListener('abort', stream.end);
    const feed = new EventFeed(this.#sources, { topics, audience, from }, () => bell.ring());
    try {
      await writer.write(`retry: ${RETRY_MS}\n\n`);
      await feed.start();
      while (!isOver) {
        const text = feed.taken();
        if (text !== '') await writer.write(text);
        else if (!(await bell.waited(this.#commentEveryMs))) {
          const now = await stillThere();
          if (!now) return;
          feed.audience = now;
          await writer.write(': still here\n\n');
        }
      }
    } finally {
      feed.stop();
      signal.removeEventListener('abort', stream.end);
      this.#open.delete(stream);
    }
  }

  #admit(stream: OpenStream): void {
    const own = [...this.#open].filter(({ sessionId }) => sessionId === stream.sessionId);
    if (own.length >= MAX_OF_SESSION) own[0]!.end();
    this.#open.add(stream);
  }
}

/** Wakes the one who waits for it. A ring before the wait counts. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves to whether it rang within this time. */
  async waited(ms: number): Promise<boolean> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const hasRung = this.#isRung;
    this.#isRung = false;
    return hasRung;
  }
}
