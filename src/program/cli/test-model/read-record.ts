import { usdOf } from '../../../money/ledger/microcredits.ts';
import { askAdmin } from '../call-admin.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Invocation } from '../invocation.ts';
import { serverAccess } from '../server-access.ts';

/** The record and the ledger entry of a request are written within a few seconds of its end. */
const RECORD_WAIT_MS = 8_000;
const POLL_MS = 200;

/** The server's record of a request. `null` means that the server has no such record. */
export type TestedRecord = {
  served_model: string | null;
  provider: string | null;
  /** The provider's name for the model. */
  provider_model: string | null;
  provider_error: string | null;
  attempts: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  microcredits: number | null;
  cost_usd: number | null;
};

/** Reads what the server has recorded of a request: the models, the tokens and the cost. */
export async function readRecord(
  invocation: Invocation,
  { request_id, status }: { request_id: string | null; status: number },
): Promise<TestedRecord> {
  const access = serverAccess(invocation);
  const params = { id: request_id ?? '' };
  const until = Date.now() + RECORD_WAIT_MS;
  // A failed request costs nothing and has no entry.
  const entry =
    request_id !== null && status === 200
      ? await untilWritten(() => askAdmin(access, 'GET /ledger/entries/{id}', { params }), until)
      : undefined;
  // A request whose key is refused belongs to no account and is not recorded.
  const request =
    request_id !== null && status !== 401
      ? await untilWritten(() => askAdmin(access, 'GET /requests/{id}', { params }), until)
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

/**
 * Reads a record, which is written after the answer. Returns undefined if it is not written in time, or if
 * the server keeps no such records.
 */
async function untilWritten<Row>(read: () => Promise<Row>, until: number): Promise<Row | undefined> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.status !== 404) throw error;
      if (error.fields['kept_s'] === 0) return undefined;
    }
    if (Date.now() > until) return undefined;
    await Bun.sleep(POLL_MS);
  }
}
