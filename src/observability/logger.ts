import { redact } from './redact.ts';

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const;
export type LogLevel = keyof typeof levels;
export type LogFields = Readonly<Record<string, unknown>>;

export type LogOptions = {
  level: LogLevel;
  format: 'json' | 'text';
  write: (text: string) => void;
  now: () => number;
};

/** Lines wait at most this long: one write for many lines, since each costs a system call. */
const FLUSH_MS = 50;
const FLUSH_BYTES = 64 * 1024;

/** One line an event, as JSON or for people. What must not be seen is taken out by type and by shape: see `redact`. */
export class Logger {
  readonly #options: LogOptions;
  #pending = '';
  #timer: Timer | undefined;

  constructor(options: LogOptions) {
    this.#options = options;
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

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#options.write(text);
  }

  #log(level: LogLevel, event: string, fields: LogFields): void {
    if (levels[level] < levels[this.#options.level]) return;
    const at = new Date(this.#options.now()).toISOString();
    const clean = redact(fields) as LogFields;
    const line =
      this.#options.format === 'json'
        ? JSON.stringify({ at, level, event, ...clean })
        : formatText({ at, level, event, fields: clean });
    this.#pending += `${line}\n`;
    if (this.#pending.length > FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }
}

function formatText({
  at,
  level,
  event,
  fields,
}: {
  at: string;
  level: string;
  event: string;
  fields: LogFields;
}): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'string' ? quoteIfNeeded(value) : JSON.stringify(value)}`,
    );
  return [at.slice(11, 23), level.toUpperCase().padEnd(5), event, ...rest].join(' ');
}

const quoteIfNeeded = (value: string): string =>
  /^[\x21\x23-\x7e]+$/.test(value) ? value : JSON.stringify(value);
