import { Type } from 'typebox';
import { choice, section } from './schema-parts.ts';

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const seconds = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 31_536_000, default: value, description });
const interval = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 3_600, default: value, description });
const dollars = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, default: value, description });

export const AuthSchema = section(
  {
    any_header: flag(false, 'Accept a key as bearer or x-api-key everywhere.'),
    require_verified_email: flag(false, 'Serve Free accounts only once their email address is verified.'),
  },
  { description: 'API keys.' },
);

export const LimitsSchema = section(
  {
    queue_wait_s: seconds(60, 'Longest wait for capacity.'),
    free_share: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Share of the freed capacity that is kept for Free accounts.',
    }),
    batch_concurrent: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 64,
      description: 'Items of batches at a time, those that wait for capacity included.',
    }),
    stream_commit_s: interval(10, 'After this long a stream begins even though the model has not.'),
    keep_alive_s: interval(15, 'A silent stream gets a comment line this often.'),
    stalled_write_s: interval(
      30,
      'A client that takes less than 4 KB of a waiting answer within this time is cut off.',
    ),
    max_answer_mb: Type.Integer({
      minimum: 1,
      maximum: 1_024,
      default: 64,
      description:
        'The longest whole answer that is accepted from an upstream, and the most that is kept of a streamed one.',
    }),
    usage_grace_s: Type.Number({
      minimum: 0,
      maximum: 600,
      default: 5,
      description:
        'After a client has left, the gateway reads on for the usage for at most this long. It then cancels the call.',
    }),
  },
  { description: 'Waiting.' },
);

export const PurchasesSchema = section(
  {
    min_usd: dollars(2, 'The smallest purchase of credit.'),
    max_usd: dollars(1_000, 'The largest purchase of credit.'),
  },
  { description: 'Purchased credit.' },
);

export const PricingSchema = section(
  {
    unpriced: choice(['refuse', 'pass'], {
      default: 'refuse',
      description:
        'How members and hosted tools that cost more than tokens are handled. refuse: they are removed or refused; pass: they reach the provider, and no account is billed for them.',
    }),
  },
  { description: 'What is billed.' },
);

export const ResponsesSchema = section(
  { served_by_header: flag(true, 'Tell in a header when another model than the one asked for served.') },
  { description: 'What answers tell.' },
);

export const RetentionSchema = section(
  {
    responses_s: seconds(86_400, 'Stored responses.'),
    batches_s: seconds(86_400, 'Batches and their results, from creation.'),
    batch_deadline_s: seconds(82_800, 'Items of a batch that have not run by then expire.'),
    idempotency_s: seconds(86_400, 'Idempotency keys.'),
  },
  { description: 'How long things are kept.' },
);
