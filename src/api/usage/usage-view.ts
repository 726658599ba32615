import type { Static } from 'typebox';
import { keysOf } from '../../base/lib/records.ts';
import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { UsageGrouping, UsageSum } from '../../money/ledger/ledger-store.ts';

/** The member of a sum that names its group. */
const groupMembers = { model: 'model', key: 'key_id', day: 'day' } as const satisfies Record<
  UsageGrouping,
  string
>;

/** The groupings of usage that a query can ask for. */
export const usageGroupings = keysOf(groupMembers);

/** Shows a sum of usage in the form of the public API and the admin API. */
export const usageView = ({ group, ...sum }: UsageSum, by: UsageGrouping): Static<typeof usageSchema> => ({
  [groupMembers[by]]: group,
  requests: sum.requests,
  input_tokens: sum.inputTokens,
  cached_input_tokens: sum.cachedInputTokens,
  output_tokens: sum.outputTokens,
  microcredits: sum.microcredits,
});

const text = (description: string) => Type.Optional(Type.String({ description }));
const count = Type.Integer();

/** A sum of usage. One of its first three fields names the group. */
export const usageSchema = Type.Object(
  {
    model: text('With `by=model`: the requested model.'),
    key_id: text('With `by=key`: the id of the key.'),
    day: text('With `by=day`: the UTC day, for example `2026-11-21`.'),
    requests: count,
    input_tokens: Type.Integer({ description: 'All input tokens.' }),
    cached_input_tokens: Type.Integer({ description: 'The part of the input that was read from a cache.' }),
    output_tokens: count,
    microcredits: Type.Integer({ description: 'The charge in millionths of a credit.' }),
  },
  { title: 'Usage Sum' },
);

/** Returns the schema of the query parameters `from`, `to` and `by` of usage endpoints. */
export const usageFields = (from: string) => ({
  from: queryTime(`The start, as an ISO 8601 time. Minutes are ignored. ${from}`),
  to: queryTime('The end (exclusive), as an ISO 8601 time. Default: now.'),
  by: Type.Optional(Type.Enum(usageGroupings, { description: 'The grouping. Default: `day`.' })),
});
