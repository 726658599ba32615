import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';

const text = Type.String();

/** The kept content of a request. */
export const requestContent = Type.Object(
  {
    request: text,
    answer: text,
    request_cut: Type.Boolean({ description: 'Only the start of the request is kept.' }),
    answer_cut: Type.Boolean({ description: 'Only the start of the answer is kept.' }),
    withheld: orNull(text, 'The reason why nothing is kept. `null` means that the content is there.'),
    expires_at: time,
  },
  { title: 'Request Content' },
);

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
  return {
    request: kept.request,
    answer: kept.answer,
    request_cut: kept.isRequestCut,
    answer_cut: kept.isAnswerCut,
    withheld: kept.withheld ?? null,
    expires_at: isoTime(kept.expiresAt),
  };
}

const nothingKept = (): Refusal =>
  new Refusal('not_found', { message: 'No content of this request is kept.' });
