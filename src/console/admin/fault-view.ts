import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { failureCauses } from '../../upstream/calling/failure-cause.ts';
import { unusableCauses } from '../../upstream/calling/unusable-cause.ts';
import type { JoinedFault } from '../../watch/faults/fault.ts';
import { reasonOf, remedyOf, severityOf } from '../../watch/faults/fault-words.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();

/** A fault of a provider, as operators see it. */
export const fault = Type.Object(
  {
    id: text,
    provider: text,
    model: orNull(text, "The provider's name for the model. `null` means several, or none."),
    cause: Type.Enum([...failureCauses, ...unusableCauses]),
    first_at: time,
    last_at: time,
    count: Type.Integer({ description: 'The number of failed calls.' }),
    hidden_by_fallback: Type.Integer({
      description: 'The failed calls whose request another target then answered. Their clients saw no error.',
    }),
    reason: Type.String({ description: 'The cause in words, with those of the provider.' }),
    remedy: Type.String({ description: 'What ends the fault.' }),
    severity: Type.Enum(['error', 'warning'], {
      description: '`error`: an operator must end it. `warning`: the cause can end by itself.',
    }),
    ended_at: orNull(time, '`null` means that the fault lasts.'),
  },
  { title: 'Provider Fault' },
);

export const faultView = (joined: JoinedFault): ViewOf<typeof fault> => ({
  id: joined.id,
  provider: joined.provider,
  model: joined.model,
  cause: joined.cause,
  first_at: isoTime(joined.firstAt),
  last_at: isoTime(joined.lastAt),
  count: joined.failures,
  hidden_by_fallback: joined.hidden,
  reason: reasonOf(joined),
  remedy: remedyOf(joined.cause),
  severity: severityOf(joined.cause),
  ended_at: isoTimeOrNull(joined.endedAt),
});
