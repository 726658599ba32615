import type { Json } from './call.ts';
import type { TestServer } from './start-server.ts';

/** The part of a server or a node that answers operators. */
type AdminServer = Pick<TestServer, 'admin'>;

/** Returns the entries of an account's ledger, newest first: all of them, or those of one kind. */
export async function ledgerEntries({ admin }: AdminServer, account: string, kind?: string): Promise<Json[]> {
  const entries: Json[] = (await admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data;
  return kind === undefined ? entries : entries.filter((entry) => entry.kind === kind);
}

/** Returns the entries of an account's charges, newest first. */
export const usageEntries = (server: AdminServer, account: string): Promise<Json[]> =>
  ledgerEntries(server, account, 'usage');
