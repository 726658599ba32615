import { usdOf } from '../../../money/ledger/microcredits.ts';
import { askAdmin } from '../admin-client.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Invocation } from '../invocation.ts';
import { serverAccess } from '../server-access.ts';

/** The record and the ledger entry of a request are written within a few seconds of its end. */
const RECORD_WAIT_MS = 8_000;
const POLL_MS = 200;

/** Reads what the server has recorded of a request: the models, the tokens and the cost. */
export async function readRecord(
  invocation: Invocation,
  { request_id, status }: { request_id: string | null; status: number },
) {
  const access = serverAccess(invocation);
  const params = { id: request_id ?? '' };
  // A request whose key is refused belongs to no account and is not recorded.
  const isRecorded = request_id !== null && status !== 401;
  const request = isRecorded
    ? await whenWritten(() => askAdmin(access, 'GET /requests/{id}', { params }))
    : undefined;
  // A failed request costs nothing and has no entry.
  const entry =
    isRecorded && status === 200
      ? await whenWritten(() => askAdmin(access, 'GET /ledger/entries/{id}', { params }))
      : undefined;
  const attempt = request?.attempts?.at(-1);
  return {
    served_model: request?.served_model ?? null,
    provider: request?.provider ?? null,
    provider_model: attempt?.model ?? null,
    provider_error: attempt?.error?.message ?? null,
    attempts: request?.attempts?.length ?? null,
    input_tokens: request?.input_tokens ?? null,
    output_tokens: request?.output_tokens ?? null,
    microcredits: entry?.microcredits ?? null,
    cost_usd: entry === undefined ? null : usdOf(entry.microcredits),
  };
}

/** Reads a record, which is written after the answer. Returns undefined if there is none in time. */
async function whenWritten<Row>(read: () => Promise<Row>): Promise<Row | undefined> {
  const until = Date.now() + RECORD_WAIT_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.status === undefined) throw error;
    }
    if (Date.now() > until) return undefined;
    await Bun.sleep(POLL_MS);
  }
}
