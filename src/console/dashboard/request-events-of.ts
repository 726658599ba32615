import { isoTime } from '../../base/lib/iso-time.ts';
import type { RequestRecord } from '../../watch/requests/request-record.ts';
import type { KeptGroup } from '../../watch/requests/request-store.ts';

/** The most requests that a page gets at once, since it shows no more. */
const MAX_REQUESTS = 50;

/** Returns the events of the latest requests of some groups, the earliest first. */
export const requestEventsOf = (groups: readonly KeptGroup[]): object[] =>
  groups
    .flatMap(({ lines }) => lines.split('\n'))
    .slice(-MAX_REQUESTS)
    .map(eventOfLine);

/** Returns a request as its event has it. Members see it too, so it names no provider. */
function eventOfLine(line: string): object {
  const record = JSON.parse(line) as RequestRecord;
  return {
    id: record.request_id,
    account_id: record.account,
    key_id: record.key_id ?? null,
    model: record.served_model ?? record.model ?? null,
    status: record.status ?? null,
    code: record.code ?? null,
    ended_at: isoTime(record.ended_at),
  };
}
