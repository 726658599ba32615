import { escapeUnprintable } from '../../base/lib/escape-unprintable.ts';
import { redact } from './redact.ts';

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const;
export type LogLevel = keyof typeof levels;
export type LogFields = Readonly<Record<string, unknown>>;

export type LogOptions = {
  level: LogLevel;
  format: 'json' | 'text';
  write: (text: string) => void;
  /** Returns the number of written bytes that the reader has not consumed yet. */
  backlog?: () => number;
  now: () => number;
};

/**
 * The longest time that a line is buffered. Each write costs a system call, and lines that arrive together
 * share one.
 */
const FLUSH_MS = 50;
const FLUSH_LENGTH = 64 * 1024;
/** The backlog above which lines are dropped and counted, since a stalled reader must not fill the memory. */
const MAX_BACKLOG = 8 * 1024 * 1024;

/**
 * Writes one line for each event, as JSON or as text. `redact` removes secrets by their names and by pattern.
 */
export class Logger {
  readonly #options: LogOptions;
  #pending = '';
  #timer: Timer | undefined;
  #dropped = 0;
  #formattedAt = Number.NaN;
  #formattedTime = '';

  constructor(options: LogOptions) {
    this.#options = options;
  }

  logs(level: LogLevel): boolean {
    return levels[level] >= levels[this.#options.level];
  }

  debug(event: string, fields: LogFields = {}): void {
    this.#log('debug', event, fields);
  }

  info(event: string, fields: LogFields = {}): void {
    this.#log('info', event, fields);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#log('warn', event, fields);
  }

  error(event: string, fields: LogFields = {}): void {
    this.#log('error', event, fields);
    this.flush();
  }

  /**
   * Logs members that are already redacted, escaped and serialized: the members of a JSON object, without its
   * braces.
   */
  line(level: LogLevel, event: string, members: string): void {
    const at = this.#time();
    if (this.#options.format === 'json')
      this.#append(`{"at":"${at}","level":"${level}","event":"${event}",${members}}`);
    else this.#append(formatText({ at, level, event, fields: JSON.parse(`{${members}}`) as LogFields }));
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    if ((this.#options.backlog?.() ?? 0) > MAX_BACKLOG) {
      this.#dropped += text.split('\n').length - 1;
      return;
    }
    this.#options.write(text);
    if (this.#dropped === 0) return;
    const lines = this.#dropped;
    this.#dropped = 0;
    this.warn('log-lines-dropped', { lines });
  }

  /** Formats the time once for each millisecond, since many lines share one. */
  #time(): string {
    const now = this.#options.now();
    if (now !== this.#formattedAt) {
      this.#formattedAt = now;
      this.#formattedTime = new Date(now).toISOString();
    }
    return this.#formattedTime;
  }

  #log(level: LogLevel, event: string, fields: LogFields): void {
    if (!this.logs(level)) return;
    const members = escapeUnprintable(JSON.stringify(redact(fields)).slice(1, -1));
    this.line(level, event, members === '' ? '"note":null' : members);
  }

  #append(line: string): void {
    this.#pending += `${line}\n`;
    if (this.#pending.length > FLUSH_LENGTH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }
}

type LogLine = { at: string; level: string; event: string; fields: LogFields };

function formatText({ at, level, event, fields }: LogLine): string {
  const members = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'string' ? quoteIfNeeded(value) : JSON.stringify(value)}`,
    );
  return escapeUnprintable([at.slice(11, 23), level.toUpperCase().padEnd(5), event, ...members].join(' '));
}

const quoteIfNeeded = (value: string): string =>
  /^[\x21\x23-\x7e]+$/.test(value) ? value : JSON.stringify(value);
