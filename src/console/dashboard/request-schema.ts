import type { Static } from 'typebox';
import { priceRowSchema, receiptTokens } from '../../api/usage/receipt-description.ts';
import { ISO_TIME } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { advicePages } from '../../watch/requests/refusal-advice.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { requestContent } from '../admin/request-content.ts';
import { closed } from '../routes/closed.ts';
import { limitField } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { requestFactFields } from '../traffic/request-facts.ts';

const text = Type.String();
const count = Type.Integer();
const milliseconds = Type.Number();
const filterText = Type.String({ minLength: 1, maxLength: 300 });
const time = Type.String({ pattern: ISO_TIME });

/** `GET /dashboard/v1/organizations/{account}/requests` */
export const requestQuery = Type.Object(
  {
    /** The whole id of a request. */
    id: Type.Optional(filterText),
    key: Type.Optional(filterText),
    model: Type.Optional(filterText),
    user: Type.Optional(filterText),
    source: Type.Optional(Type.Enum([...requestSources])),
    /**
     * A status like `400`, a class like `4xx`, or `failed` for everything that ended with an error, also
     * within a stream.
     */
    status: Type.Optional(Type.String({ pattern: '^([1-5](\\d\\d|xx)|failed)$' })),
    code: Type.Optional(filterText),
    since: Type.Optional(time),
    until: Type.Optional(time),
    limit: limitField(100),
    after: Type.Optional(filterText),
  },
  closed,
);
export type RequestQuery = Static<typeof requestQuery>;

const refusal = Type.Object({
  code: text,
  /** The status of the refusal, which a stream may have hidden. */
  status: count,
  /** The message that the client got. */
  message: text,
  param: orNull(text),
  /** The reason with its figures. */
  sentence: text,
  advice: orNull(Type.Object({ text, page: orNull(Type.Enum(advicePages)) })),
});

const listedFields = {
  ...requestFactFields,
  refusal: orNull(refusal),
  /** The number of calls to providers. */
  attempts: count,
};

/** A request as a row of the list. */
const listedRequest = Type.Object(listedFields);
export type ListedRequest = ViewOf<typeof listedRequest>;

export const requestPage = Type.Object({
  data: Type.Array(listedRequest),
  has_more: Type.Boolean(),
  /** The time for which requests are kept, in seconds. 0: none are kept. */
  kept_s: count,
});
export type RequestPageView = ViewOf<typeof requestPage>;

const attempt = Type.Object({
  started_at: text,
  ms: orNull(milliseconds),
  /** The status of the answer. `null` means that none arrived. */
  status: orNull(count),
  outcome: Type.Enum(['answered', 'failed']),
});

/** The receipt of a charge, with its place in the ledger. */
const receipt = Type.Object({
  entry_id: text,
  /** The place of the entry in the account's chain. */
  sequence: count,
  /** The hash that covers the entry and all entries before it. */
  hash: text,
  posted_at: text,
  balance: Type.Enum(['monthly', 'purchased']),
  held_microcredits: count,
  list_cost_microcredits: count,
  microcredits: count,
  shortfall_microcredits: count,
  shortfall_reason: orNull(text),
  outcome: text,
  delivered: text,
  simulated: Type.Boolean(),
  max_output_tokens: orNull(count),
  model: text,
  served_model: text,
  attempts: count,
  tokens: receiptTokens,
  prices: Type.Array(priceRowSchema),
  factors: Type.Array(Type.Object({ dimension: text, factor: Type.Number() })),
  explanation: text,
});
export type ReceiptPart = ViewOf<typeof receipt>;

/** `GET /dashboard/v1/organizations/{account}/requests/{id}/content` */
export const requestContentView = Type.Object({
  /** True if the operator keeps the content of new requests. */
  logging: Type.Boolean(),
  /** `null` means that nothing is kept of this request. */
  content: orNull(requestContent),
});
export type RequestContentView = ViewOf<typeof requestContentView>;

/** `GET /dashboard/v1/organizations/{account}/requests/{id}` */
export const requestDetail = Type.Object({
  id: text,
  /** `null` means that the record has expired, and the receipt remains. */
  request: orNull(Type.Object({ ...listedFields, calls: Type.Array(attempt) })),
  /** `null` means that the request was not charged. */
  receipt: orNull(receipt),
});
export type RequestDetail = ViewOf<typeof requestDetail>;
