import { Type } from 'typebox';
import type { UsageGrouping, UsageSum } from '../../money/ledger/ledger-store.ts';

const groupNames: Record<UsageGrouping, string> = { model: 'model', key: 'key_id', day: 'day' };

/** A sum as clients and operators see it. */
export const usageView = ({ group, ...sum }: UsageSum, by: UsageGrouping) => ({
  [groupNames[by]]: group,
  requests: sum.requests,
  input_tokens: sum.inputTokens,
  cached_input_tokens: sum.cachedInputTokens,
  output_tokens: sum.outputTokens,
  microcredits: sum.microcredits,
});

const text = (description: string) => Type.Optional(Type.String({ description }));
const count = Type.Integer();

export const usageSchema = Type.Object(
  {
    model: text('With `by=model`: the one that was asked for.'),
    key_id: text('With `by=key`.'),
    day: text('With `by=day`: `2026-11-21`, UTC.'),
    requests: count,
    input_tokens: Type.Integer({ description: 'All input.' }),
    cached_input_tokens: Type.Integer({ description: 'The part of it that was read from a cache.' }),
    output_tokens: count,
    microcredits: Type.Integer({ description: 'Millionths of a credit.' }),
  },
  { title: 'Usage Sum' },
);

/** `?from&to&by` of usage. */
export const usageParameters = (from: string) => [
  { name: 'from', description: `ISO 8601; whole hours count. ${from}`, schema: Type.String() },
  { name: 'to', description: 'ISO 8601, not included. Now unless said.', schema: Type.String() },
  { name: 'by', description: 'day unless said.', schema: Type.Enum(['model', 'key', 'day']) },
];
