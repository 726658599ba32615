import type { Json } from './call.ts';
import type { TestServer } from './start-server.ts';

/** The part of a server or a node that answers operators. */
type AdminServer = Pick<TestServer, 'admin'>;

/** Returns the entries of an account's ledger, newest first. */
export const ledgerEntries = async ({ admin }: AdminServer, account: string): Promise<Json[]> =>
  (await admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data;

/** Returns the entries of an account's charges, newest first. */
export const usageEntries = async (server: AdminServer, account: string): Promise<Json[]> =>
  (await ledgerEntries(server, account)).filter(({ kind }) => kind === 'usage');
