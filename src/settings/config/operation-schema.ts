import { Type } from '../../base/schema/type.ts';
import { choice, section } from './schema-parts.ts';

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const seconds = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 31_536_000, default: value, description });
const interval = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 3_600, default: value, description });
const rows = (value: number, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: value,
    description: `${description} Rows beyond a lowered limit stay.`,
  });
const dollars = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, default: value, description });

export const AuthSchema = section(
  {
    any_header: flag(
      false,
      'Accept an API key in either header, `authorization` or `x-api-key`, on every endpoint.',
    ),
    require_verified_email: flag(
      false,
      'Refuse requests of Free accounts until their email address is verified.',
    ),
  },
  { description: 'Authentication with API keys.' },
);

export const LimitsSchema = section(
  {
    queue_wait_s: seconds(60, 'Longest time that a request queues for capacity, in seconds.'),
    free_share: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Share of freed capacity that is reserved for Free accounts, from 0 to 1.',
    }),
    batch_concurrent: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 64,
      description:
        'Maximum batch items in progress in each process, including those that queue for capacity.',
    }),
    stream_commit_s: interval(
      10,
      'Seconds after which the response head of a stream is sent even if the model has not begun to answer.',
    ),
    socket_s: interval(3_600, 'Seconds after which a WebSocket is closed. Turns that run are finished.'),
    socket_idle_s: interval(300, 'Seconds after which a WebSocket without a turn is closed.'),
    socket_message_mb: Type.Number({
      exclusiveMinimum: 0,
      maximum: 10,
      default: 10,
      description: 'Megabytes of the longest message that a WebSocket takes.',
    }),
    socket_turns: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 8,
      description: 'Turns that a WebSocket runs at once, each under a `stream_id` of its own.',
    }),
    resume_grace_s: Type.Number({
      minimum: 0,
      maximum: 3_600,
      default: 60,
      description:
        'Seconds that a request with an effective `Idempotency-Key`, or a resumable stream, continues after its last client has left. A request that only retries of SDKs can join continues for at most 10 seconds.',
    }),
    replay_mb: Type.Number({
      minimum: 0,
      maximum: 65_536,
      default: 256,
      description:
        'Megabytes of all answers that are kept for retries. An account can have an eighth of it. Beyond it the oldest are removed.',
    }),
    stream_log_mb: Type.Number({
      minimum: 0,
      maximum: 65_536,
      default: 256,
      description:
        'Megabytes of memory of a process for streams that can be read again. A stream that does not fit is sent, but cannot be read again.',
    }),
    keep_alive_s: interval(15, 'Seconds between the comment lines that keep a silent stream open.'),
    stalled_write_s: interval(
      30,
      'Seconds in which a client must read 4 KB of a waiting answer. A slower client is disconnected.',
    ),
    slow_reader_s: Type.Number({
      exclusiveMinimum: 0,
      maximum: 86_400,
      default: 3_600,
      description:
        'Total seconds that the gateway waits for the client of a stream. `total_ms` of the provider does not run meanwhile. A slower client counts as disconnected.',
    }),
    max_answer_mb: Type.Integer({
      minimum: 1,
      maximum: 1_024,
      default: 64,
      description:
        'Maximum size of an answer from an upstream, in MB. A larger whole answer is refused. Of a larger stream, only this much is kept.',
    }),
    max_upload_mb: Type.Integer({
      minimum: 1,
      maximum: 1_024,
      default: 64,
      description: 'Maximum size of a form with files, in MB. Larger forms get `413`.',
    }),
    upload_disk_mb: Type.Integer({
      minimum: 0,
      maximum: 1_048_576,
      default: 4_096,
      description:
        'Disk space of all uploads of a process, in MB. Uploads over 1 MB are kept in the data directory until a provider has answered.',
    }),
    hosted_tool_calls: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 10,
      description:
        'Calls of a hosted tool that a hold covers if the request sets no limit. The provider gets this number as its limit.',
    }),
    hosted_tool_tokens: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 25_000,
      description:
        'Tokens that a hold covers for the result of each call of a hosted tool if the request sets no limit.',
    }),
    image_tokens: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 6_240,
      description:
        'Tokens that a hold covers for each image that a hosted tool generates, or that an image model reads or generates.',
    }),
    shortfall_stop_credits: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 50,
      description:
        'Credits by which the charges of an account within 30 days can be below their list cost. Beyond this, its hosted tools are stopped until an operator clears the stop.',
    }),
    keys_per_organization: rows(
      500,
      'Maximum API keys of an organization. Revoked and expired keys do not count.',
    ),
    members_per_organization: rows(200, 'Maximum members of an organization.'),
    invitations_per_organization: rows(100, 'Maximum open invitations of an organization.'),
    usage_grace_s: Type.Number({
      minimum: 0,
      maximum: 600,
      default: 5,
      description:
        'Seconds for which the gateway reads the usage of an answer after its client has disconnected. It then cancels the call.',
    }),
  },
  { description: 'Queueing, streams, answer sizes, and rows of organizations.' },
);

export const PurchasesSchema = section(
  {
    min_usd: dollars(2, 'Smallest purchase of credit, in USD.'),
    max_usd: dollars(1_000, 'Largest purchase of credit, in USD.'),
  },
  { description: 'Purchased credit.' },
);

export const RoutingSchema = section(
  {
    learn_refusals: flag(
      true,
      'If a provider refuses an optional parameter by name, the gateway repeats the request once without it. Later requests leave it out.',
    ),
    learned_for_s: seconds(3_600, 'Seconds for which a refused parameter is left out.'),
  },
  { description: 'Routing of requests to providers.' },
);

export const PricingSchema = section(
  {
    unpriced: choice(['refuse', 'pass'], {
      default: 'refuse',
      description:
        'Treatment of members and hosted tools that cost more than tokens. refuse: they are removed or refused. pass: they reach the provider, and no account is billed for them.',
    }),
  },
  { description: 'Billing.' },
);

export const ResponsesSchema = section(
  {
    served_by_header: flag(true, 'Name the model that answered in a header if it is not the requested one.'),
  },
  { description: 'Contents of responses to clients.' },
);

export const RetentionSchema = section(
  {
    responses_s: seconds(86_400, 'Seconds that a stored response is kept.'),
    streams_s: seconds(
      300,
      'Seconds that a resumable stream, or that of a response in the background, can be read again after its end.',
    ),
    replays_s: seconds(
      600,
      'Seconds that a finished answer is kept for retries with `Idempotency-Key` and for retries of SDKs. 0: retries only join running requests.',
    ),
    batches_s: seconds(86_400, 'Seconds that a batch and its results are kept, from its creation.'),
    batch_deadline_s: seconds(
      82_800,
      'Seconds from the creation of a batch to its deadline. Items without a result then expire.',
    ),
    idempotency_s: seconds(86_400, 'Seconds that an idempotency key is kept.'),
    audit_s: Type.Number({
      minimum: 86_400,
      maximum: 3_153_600_000,
      default: 31_536_000,
      description: 'Seconds that an entry of the audit log is kept.',
    }),
    requests_s: seconds(604_800, 'Seconds that the record of a request is kept for operators. 0 keeps none.'),
  },
  { description: 'Retention periods.' },
);
