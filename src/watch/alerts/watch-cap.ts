import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { monthOf } from '../../money/ledger/month-of.ts';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import { type AlertNews, LATE_MS } from './alert.ts';
import { dollars, labelOf } from './alert-words.ts';
import type { SpendAlertParts } from './spend-alert-parts.ts';

const WARNING_SHARE = 0.8;
/**
 * A cap counts as reached if it refuses a request and this share is spent. The remaining credit seldom fits
 * another request.
 */
const REACHED_SHARE = 0.95;

type CapUse = { capMicrocredits: number; spentMicrocredits: number; month: string };

/** Reports a key that has spent a share of its monthly cap, once for each share, month and cap. */
export function watchCap(parts: SpendAlertParts, { order, keyMicrocredits, refused }: Spending): void {
  const { keyCapMicrocredits: capMicrocredits } = order;
  if (!capMicrocredits || keyMicrocredits === null) return;
  const spentShare = keyMicrocredits / capMicrocredits;
  if (spentShare < WARNING_SHARE) return;
  const isReached = spentShare >= 1 || (refused === 'key-cap-reached' && spentShare >= REACHED_SHARE);
  const { startsAt, endsAt } = calendarMonth(order.at);
  const cap = { capMicrocredits, spentMicrocredits: keyMicrocredits, month: monthOf(startsAt) };
  for (const event of isReached ? (['cap_80', 'cap_100'] as const) : (['cap_80'] as const)) {
    const name = `${event} ${order.keyId} ${startsAt} ${capMicrocredits}`;
    if (parts.service.hasRaised(name)) continue;
    parts.service.raise({ name, until: endsAt + LATE_MS }, () => newsOf(parts, order, { event, ...cap }));
  }
}

async function newsOf(
  { nameOfAccount, nameOfKey }: SpendAlertParts,
  { accountId, keyId }: Spending['order'],
  { event, capMicrocredits, spentMicrocredits, month }: CapUse & { event: 'cap_80' | 'cap_100' },
): Promise<AlertNews> {
  const [accountName, keyName] = await Promise.all([nameOfAccount(accountId), nameOfKey(keyId)]);
  const key = `The API key ${labelOf(keyId, keyName)} of account ${labelOf(accountId, accountName)}`;
  const amounts = `${dollars(spentMicrocredits)} of ${dollars(capMicrocredits)} for ${month}`;
  return {
    event,
    message:
      event === 'cap_80'
        ? `${key} has spent 80 % or more of its monthly cap: ${amounts}.`
        : `${key} has reached its monthly cap: ${amounts}. The gateway refuses its requests until the month ends or the cap rises.`,
    data: {
      account_id: accountId,
      account_name: accountName,
      key_id: keyId,
      key_name: keyName,
      month,
      spent_usd: usdOf(spentMicrocredits),
      cap_usd: usdOf(capMicrocredits),
    },
    organization: accountId,
  };
}
