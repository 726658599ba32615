import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { formatNumber, formatPrice, formatUsd } from '../../components/format.ts';
import { Progress } from '../../components/progress.tsx';

/** Shows the spent part of the monthly cap. */
export const KeySpent = ({ of: { month_spent_usd, monthly_cap_usd } }: { of: ListedKey }) => (
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
export function KeyRules({ of: { payg, allowed_models, limits, retries, resumable } }: { of: ListedKey }) {
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

const names = {
  requests_per_min: 'requests a minute',
  tokens_per_min: 'tokens a minute',
  concurrent: 'at the same time',
} as const;

export function limitWords(limits: ListedKey['limits']): string {
  const set = Object.entries(limits ?? {}).filter(([, value]) => value !== null);
  if (set.length === 0) return 'Those of the plan';
  return set.map(([name, value]) => `${formatNumber(value)} ${names[name as keyof typeof names]}`).join(', ');
}
