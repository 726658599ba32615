import type { BodyWriter, Reply, WrittenBody } from '../../edge/http/reply.ts';

const PREFIX = 'data: ';
const decoder = new TextDecoder();

/** Turns a stream of server-sent events into one JSON array, which is written while the events arrive. */
export function asJsonArray(reply: Reply): Reply {
  const { body, headers } = reply;
  if (typeof body !== 'function' || !headers?.['content-type']?.startsWith('text/event-stream')) return reply;
  const writtenBody: WrittenBody = async (writer) => {
    const array = new ArrayWriter(writer);
    await body(array);
    await array.end();
  };
  return {
    ...reply,
    body: writtenBody,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  };
}

class ArrayWriter implements BodyWriter {
  readonly #writer: BodyWriter;
  #rest = '';
  #hasBegun = false;

  constructor(writer: BodyWriter) {
    this.#writer = writer;
  }

  write(piece: Parameters<BodyWriter['write']>[0]): Promise<void> | undefined {
    const events = (this.#rest + (typeof piece === 'string' ? piece : decoder.decode(piece))).split('\n\n');
    this.#rest = events.pop()!;
    // A line break that keeps the connection alive means nothing in JSON.
    if (events.length === 0 && this.#rest.trim() === '') {
      this.#rest = '';
      return this.#writer.write('\n');
    }
    const text = events
      .map((event) => event.trim())
      .filter((event) => event.startsWith(PREFIX))
      .map((event) => this.#separator() + event.slice(PREFIX.length))
      .join('');
    return text === '' ? undefined : this.#writer.write(text);
  }

  end(): Promise<void> | undefined {
    return this.#writer.write(this.#hasBegun ? ']' : '[]');
  }

  #separator(): string {
    const separator = this.#hasBegun ? ',\n' : '[';
    this.#hasBegun = true;
    return separator;
  }
}
