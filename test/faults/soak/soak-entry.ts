import type { Json } from '../../support/call.ts';
import type { TestServer } from '../../support/start-server.ts';

/** A charge as the admin API reports it. */
export type SoakEntry = {
  requestId: string;
  keyId: string;
  at: number;
  model: string;
  served: string;
  input: number;
  cached: number;
  output: number;
  microcredits: number;
  isEstimated: boolean;
  outcome: string;
  /** The part of the list cost that is not charged, if the entry has one. */
  shortfall: number;
};

const PAGE = 1_000;

/** Reads all charges of an account, page by page. */
export async function readEntries(server: TestServer, account: string): Promise<SoakEntry[]> {
  const entries: SoakEntry[] = [];
  for (let after = ''; ; ) {
    const { body } = await server.admin('GET', `/accounts/${account}/ledger?limit=${PAGE}${after}`);
    for (const entry of body.data) if (entry.kind === 'usage') entries.push(entryOf(entry));
    if (!body.has_more) return entries;
    after = `&after=${body.data.at(-1).id}`;
  }
}

const entryOf = (entry: Json): SoakEntry => ({
  requestId: entry.request_id,
  keyId: entry.key_id,
  at: Date.parse(entry.at),
  model: entry.model,
  served: entry.served_model,
  input: entry.input_tokens,
  cached: entry.cached_input_tokens,
  output: entry.output_tokens,
  microcredits: entry.microcredits,
  isEstimated: entry.receipt.estimated,
  outcome: entry.receipt.outcome,
  shortfall: entry.receipt.shortfall_microcredits ?? 0,
});
