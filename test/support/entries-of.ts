import type { Json } from './call.ts';
import type { TestServer } from './start-server.ts';

/** Lists the entries of an account of one kind, newest first. */
export async function entriesOf(
  { admin }: Pick<TestServer, 'admin'>,
  account: string,
  kind = 'usage',
): Promise<Json[]> {
  const { body } = await admin('GET', `/accounts/${account}/ledger?limit=1000`);
  return body.data.filter((entry: Json) => entry.kind === kind);
}
