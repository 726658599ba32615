import type { RequestRecord } from './request-record.ts';
import type { RequestSource } from './request-source.ts';
import { sourceOfRecord, sourceText } from './source-of-request.ts';

export type RequestFilter = {
  account?: string | undefined;
  key?: string | undefined;
  /** The name that the client sent, or the public id of the model that answered. */
  model?: string | undefined;
  /** A status like `400`, or a class like `5xx`. */
  status?: string | undefined;
  /** Selects requests that ended with an error, even after the head of a stream. */
  isFailed?: boolean | undefined;
  /** The error code. */
  code?: string | undefined;
  /** The end user that the client named. */
  user?: string | undefined;
  tag?: string | undefined;
  source?: RequestSource | undefined;
  /** Times in milliseconds. `until` is exclusive. They compare with the end of a request. */
  since?: number | undefined;
  until?: number | undefined;
};

/** A condition of a filter. Every line of a fitting record has the needle, which is cheap to find. */
type Condition = { needle: string; fits: (record: RequestRecord) => boolean };

/** Reads the records that fit a filter. */
export class RequestReader {
  readonly #conditions: readonly Condition[];

  constructor(filter: RequestFilter) {
    this.#conditions = conditionsOf(filter);
  }

  /** Yields the fitting records of some lines, the latest first. */
  *read(lines: string): Generator<RequestRecord> {
    if (lines === '' || !this.#mayFit(lines)) return;
    for (const line of lines.split('\n').reverse()) {
      if (!this.#mayFit(line)) continue; // cheaper than to parse it
      const record = JSON.parse(line) as RequestRecord;
      if (this.#conditions.every(({ fits }) => fits(record))) yield record;
    }
  }

  #mayFit(text: string): boolean {
    return this.#conditions.every(({ needle }) => text.includes(needle));
  }
}

function conditionsOf(filter: RequestFilter): Condition[] {
  const { since = 0, until = Number.POSITIVE_INFINITY } = filter;
  return [
    { needle: '', fits: ({ ended_at }) => ended_at >= since && ended_at < until },
    ...where(filter.account, (account) => ({ needle: '', fits: (record) => record.account === account })),
    ...where(filter.key, (key) => ({ needle: quoted(key), fits: ({ key_id }) => key_id === key })),
    ...where(filter.model, (name) => ({
      needle: quoted(name),
      fits: ({ model, served_model }) => model === name || served_model === name,
    })),
    ...where(filter.isFailed || undefined, () => ({
      needle: '"code":',
      fits: ({ code }) => code !== undefined,
    })),
    ...where(filter.code, (code) => ({ needle: quoted(code), fits: (record) => record.code === code })),
    ...where(filter.user, (user) => ({ needle: quoted(user), fits: (record) => record.user === user })),
    ...where(filter.tag, (tag) => ({
      needle: quoted(tag),
      fits: ({ tags }) => tags?.includes(tag) === true,
    })),
    ...where(filter.source, (source) => ({
      needle: sourceText[source],
      fits: (record) => sourceOfRecord(record) === source,
    })),
    ...where(filter.status, ofStatus),
  ];
}

/** Makes the condition of a member that the filter has. */
const where = <T>(wanted: T | undefined, make: (wanted: T) => Condition): Condition[] =>
  wanted === undefined ? [] : [make(wanted)];

const quoted = (text: string): string => JSON.stringify(text);

/** Makes the condition of a status like `400`, or of a class like `5xx`. */
function ofStatus(wanted: string): Condition {
  const digits = wanted.replace('xx', '');
  const divisor = digits === wanted ? 1 : 100;
  return {
    needle: `"status":${digits}`,
    fits: ({ status = 0 }) => Math.floor(status / divisor) === Number(digits),
  };
}
