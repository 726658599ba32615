import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { PayloadContent } from '../../watch/requests/payload-store.ts';
import type { ViewOf } from '../routes/typed-route.ts';

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

/** Shows the kept content of a request. */
export const contentView = (kept: PayloadContent & { expiresAt: number }): ViewOf<typeof requestContent> => ({
  request: kept.request,
  answer: kept.answer,
  request_cut: kept.isRequestCut,
  answer_cut: kept.isAnswerCut,
  withheld: kept.withheld ?? null,
  expires_at: isoTime(kept.expiresAt),
});
