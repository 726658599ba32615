import { keysOf } from '../../../src/base/lib/records.ts';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { formatNumber, formatPrice, formatUsd } from '../../components/format.ts';
import { Progress } from '../../components/progress.tsx';

const limitNames: Readonly<Record<keyof Limits, string>> = {
  requests_per_min: 'requests a minute',
  tokens_per_min: 'tokens a minute',
  concurrent: 'at the same time',
};

/** Shows the spent part of the monthly cap. */
export const KeySpent = ({ apiKey: { month_spent_usd, monthly_cap_usd } }: { apiKey: ListedKey }) => (
  <span class="spent">
    <span>
      {formatUsd(month_spent_usd)}
      {monthly_cap_usd !== null && <span class="soft"> of {formatPrice(monthly_cap_usd)}</span>}
    </span>
    {monthly_cap_usd !== null && month_spent_usd !== null && (
      <Progress label="Share of the monthly cap" value={month_spent_usd} limit={monthly_cap_usd} />
    )}
  </span>
);

/** The rules of a key, in short. */
export function KeyRules({
  apiKey: { payg, allowed_models, limits, retries, resumable },
}: {
  apiKey: ListedKey;
}) {
  const count = allowed_models?.length;
  const rules = [
    payg && 'Pay as you go',
    count !== undefined && (count === 1 ? allowed_models![0]! : `${count} models`),
    limits && 'Own limits',
    retries === 'keyed' && 'Idempotency keys',
    retries === 'join' && 'Joined retries',
    resumable && 'Resumable streams',
  ].filter((rule) => typeof rule === 'string');
  if (rules.length === 0) return <span class="soft">None</span>;
  return (
    <span class="badges">
      {rules.map((rule) => (
        <Badge key={rule}>{rule}</Badge>
      ))}
    </span>
  );
}

type Limits = NonNullable<ListedKey['limits']>;

/** Returns the limits of a key in words. */
export function limitWords(limits: ListedKey['limits']): string {
  const words = keysOf(limitNames).flatMap((name) => {
    const limit = limits?.[name] ?? null;
    return limit === null ? [] : `${formatNumber(limit)} ${limitNames[name]}`;
  });
  return words.join(', ') || 'Those of the plan';
}
