import type { InvoicesView } from '../../../src/console/dashboard/invoices-view.ts';
import { API } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Status } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { buttonColumn, minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDate } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

type Invoice = InvoicesView['data'][number];

/** The invoices of payments, and a statement for each month. */
export function Invoices({ path }: { path: string }) {
  const invoices = useQuery<InvoicesView>(`${path}/invoices`);
  return (
    <Loaded query={invoices}>
      {({ data, statements, is_incomplete }) => (
        <>
          <Section title="Invoices" lead="Stripe issues an invoice for each paid plan and purchase.">
            {is_incomplete && <IncompleteNotice count={data.length} />}
            <Table
              caption="Invoices with their files"
              columns={invoiceColumns}
              rows={data}
              empty={!is_incomplete && <EmptyState title="No invoices yet">Payments appear here.</EmptyState>}
            />
          </Section>
          <Section
            title="Statements"
            lead="A statement has the credit and the usage of a calendar month, from the ledger."
          >
            <Table
              caption="Statements by month"
              columns={statementColumns(path)}
              rows={statements.map((month) => ({ month }))}
              rowKey={({ month }) => month}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function IncompleteNotice({ count }: { count: number }) {
  if (count === 0) {
    return (
      <Notice kind="warning" title="Invoices cannot be loaded">
        Stripe did not answer. Try again later.
      </Notice>
    );
  }
  return (
    <Notice kind="warning" title="Older invoices are missing">
      These are the newest {count} invoices. The portal of Stripe has all of them.
    </Notice>
  );
}

const amountOf = ({ total, currency }: Invoice): string =>
  total.toLocaleString('en-US', { style: 'currency', currency: currency.toUpperCase() });

const invoiceColumns: readonly Column<Invoice>[] = [
  textColumn('number', 'Number', ({ number, id }) => number ?? id),
  textColumn('date', 'Date', ({ created_at }) => formatDate(created_at)),
  minor(
    textColumn(
      'period',
      'Period',
      ({ period_start, period_end }) => `${formatDate(period_start)} to ${formatDate(period_end)}`,
    ),
  ),
  minor(textColumn('lines', 'For', ({ lines }) => lines.map(({ description }) => description).join(', '))),
  textColumn('status', 'Status', ({ status }) => (
    <Status tone={status === 'paid' ? 'good' : 'warning'}>{status ?? 'unknown'}</Status>
  )),
  numberColumn('total', 'Total', amountOf),
  buttonColumn('file', 'File', ({ pdf_url, url, number, id }) => {
    const href = pdf_url ?? url;
    const word = pdf_url ? 'PDF' : 'View';
    return (
      href && (
        <a href={href} aria-label={`${word} of invoice ${number ?? id}`}>
          {word}
        </a>
      )
    );
  }),
];

const statementColumns = (path: string): readonly Column<{ month: string }>[] => [
  textColumn('month', 'Month', ({ month }) => (
    <a href={`${API}${path}/statements/${month}`} target="_blank" rel="noreferrer">
      {month}
    </a>
  )),
  buttonColumn('csv', 'File', ({ month }) => (
    <a href={`${API}${path}/statements/${month}/csv`} download aria-label={`${month} as CSV`}>
      CSV
    </a>
  )),
];
