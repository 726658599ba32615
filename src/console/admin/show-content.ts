import { Refusal } from '../../base/errors/refusal.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { contentView, type requestContent } from './request-content.ts';

/** Shows the kept content of a request, and records that it was read. */
export async function showContent(
  { accounts, payloads, requests }: Pick<AdminParts, 'accounts' | 'payloads' | 'requests'>,
  { id, actor }: { id: string; actor: string },
): Promise<ViewOf<typeof requestContent>> {
  const record = await requests.find(id);
  const kept = record && (await payloads.find(record.account, record.request_id));
  if (!kept) throw nothingKept();
  const { account: accountId, request_id: requestId } = record;
  await recordContentRead(accounts, { actor, accountId, kind: 'request', id: requestId });
  return contentView(kept);
}

const nothingKept = (): Refusal =>
  new Refusal('not_found', { message: 'No content of this request is kept.' });
