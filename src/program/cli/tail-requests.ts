import { asSentence } from '../../base/lib/as-sentence.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import { type Colour, coloured } from './colour.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { cellText } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { requestFilters } from './request-filters.ts';
import { RequestFollower } from './request-follower.ts';

type RequestRow = AdminItem<'GET /requests'>;

const DEFAULT_LINES = 10;
const DEFAULT_INTERVAL_S = 1;
/** A server that restarts is back within this time. */
const PATIENCE_MS = 60_000;

/** Prints the latest requests, and then each new one, until it is interrupted or its reader leaves. */
export const tailRequests: Run = async (invocation) => {
  const maxPrinted = invocation.number('count') ?? Number.POSITIVE_INFINITY;
  const intervalMs = (invocation.number('interval') ?? DEFAULT_INTERVAL_S) * 1_000;
  const follower = new RequestFollower<RequestRow>({
    filters: await requestFilters(invocation),
    read: (query) => callAdmin(invocation, 'GET /requests', { query }),
  });
  const lines =
    invocation.number('lines') ?? (invocation.text('since') === undefined ? DEFAULT_LINES : undefined);
  let printed = 0;
  let requests = await follower.start(lines);
  for (;;) {
    for (const request of requests) {
      print(invocation, request);
      if (++printed >= maxPrinted) return 0;
    }
    await Bun.sleep(intervalMs);
    if (invocation.terminal.isOutputClosed?.()) return 0;
    requests = await patiently(invocation, () => follower.next());
  }
};

/** Tries again while the server is away, for example during a restart. The first failure is reported. */
async function patiently<T>(invocation: Invocation, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CommandFailure) || Date.now() > until || isOfToken(error)) throw error;
      if (tries === 0)
        invocation.terminal.remark(`tollgate: ${asSentence(error.message)} The command tries again.`);
      await Bun.sleep(1_000);
    }
  }
}

/** A token that has ended, or whose role is not sufficient, stays refused. */
const isOfToken = ({ status }: CommandFailure): boolean => status === 401 || status === 403;

function print(invocation: Invocation, request: RequestRow): void {
  const { terminal } = invocation;
  terminal.print(invocation.flag('json') ? JSON.stringify(request) : lineOf(terminal, request));
}

function colourOf(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

/** Formats a request as one line. A missing value is a dash. */
function lineOf(terminal: Invocation['terminal'], request: RequestRow): string {
  const { ended_at, id, status, model, provider, duration_ms, account_id, error } = request;
  const key = request.key_name ?? request.key_id;
  const reason =
    error === null ? '' : `  ${cellText(error.code)}: ${cellText(causeOf(request) ?? error.message)}`;
  const fields = [id, model, provider, `${Math.round(duration_ms)} ms`, account_id, key].map(cellText);
  return `${cellText(ended_at)}  ${coloured(terminal, colourOf(status), cellText(status))}  ${fields.join('  ')}${reason}`;
}

/** The provider's own words say more than those that the client got. */
const causeOf = ({ attempts }: RequestRow): string | null | undefined => attempts.at(-1)?.error?.message;
