import type { WelcomeView } from '../../../src/console/dashboard/welcome-view.ts';
import type { Column } from '../../components/column.ts';
import { numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';

type Plan = WelcomeView['plans'][number];

const priceOf = ({ id, price_usd_per_month: price }: Plan): string => {
  if (id === 'payg') return 'Pay per use';
  return price === null ? 'By arrangement' : `$${formatNumber(price)} a month`;
};

const creditsOf = ({ id, credits }: Plan): string => {
  if (id === 'payg') return 'Purchased: 500 for $1';
  if (credits === null) return 'Unlimited';
  return id === 'free' ? `${formatNumber(credits)}, once` : `${formatNumber(credits)} a month`;
};

const columns: readonly Column<Plan>[] = [
  textColumn('name', 'Plan', ({ name }) => <strong>{name}</strong>),
  textColumn('price', 'Price', priceOf),
  numberColumn('credits', 'Credits', creditsOf),
  numberColumn('rate', 'Requests per minute', (plan) => formatNumber(plan.requests_per_minute)),
  numberColumn('concurrent', 'Concurrent requests', (plan) => formatNumber(plan.concurrent)),
];

/** The plans that are open to everybody. */
export const Plans = ({ plans }: { plans: readonly Plan[] }) => (
  <Table caption="Plans" columns={columns} rows={plans} />
);
