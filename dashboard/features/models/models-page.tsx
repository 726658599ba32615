import type { ModelList, ModelRow } from '../../../src/api/dashboard/model-schema.ts';
import { queryValue, withParameters, withQuery } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber, formatPrice, formatTokens } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Access, Capabilities } from './model-facts.tsx';
import { ModelFilters } from './model-filters.tsx';

const columns: readonly Column<ModelRow>[] = [
  {
    key: 'model',
    header: 'Model',
    cell: ({ id, name }) => (
      <span class="titled">
        <a href={modelPath(id)}>{name}</a>
        <code>{id}</code>
      </span>
    ),
  },
  { key: 'access', header: 'Access', cell: (model) => <Access of={model} /> },
  { key: 'vendor', header: 'Vendor', cell: ({ owned_by }) => owned_by, isMinor: true },
  {
    key: 'context',
    header: 'Context',
    isNumber: true,
    cell: ({ context_window }) => (context_window > 0 ? formatTokens(context_window) : '–'),
  },
  { key: 'input', header: 'Input', isNumber: true, cell: ({ prices }) => formatPrice(prices.input) },
  {
    key: 'output',
    header: 'Output',
    isNumber: true,
    cell: ({ kind, prices }) => (kind === 'chat' ? formatPrice(prices.output) : '–'),
  },
  { key: 'abilities', header: 'Capabilities', cell: (model) => <Capabilities of={model} /> },
];

/** Ids of open-weight models have a slash, which the address keeps. */
const modelPath = (id: string): string => `/models/${id.split('/').map(encodeURIComponent).join('/')}`;

const parameters = ['q', 'included', 'owned_by', 'tier', 'kind', 'capabilities', 'sort', 'after'] as const;
const filters = parameters.filter((name) => name !== 'sort' && name !== 'after');

/** The catalog, as the clients of the organization see it. */
export function ModelsPage() {
  const values = Object.fromEntries(parameters.map((name) => [name, queryValue(name)]));
  const query = useQuery<ModelList>(inOrganization(withParameters('/models', values)));
  const { data: list } = query;
  return (
    <>
      <PageHeader
        title="Models"
        lead={
          list
            ? `The ${list.plan.name} plan of this organization decides which of them are included. Prices are for a million tokens.`
            : 'Prices are for a million tokens.'
        }
      />
      <ModelFilters of={list} />
      <Loaded query={query} skeleton={<Skeleton lines={14} />}>
        {({ data, found, total, next }) => (
          <>
            <p class="soft found" role="status">
              {found === total
                ? `${formatNumber(total)} models`
                : `${formatNumber(found)} of ${formatNumber(total)} models`}
            </p>
            <Table
              caption="Models"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              sortParam="none"
              empty={<NoModels isFiltered={total > 0} />}
            />
            <Pagination next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}

const NoModels = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      title="No matching models"
      action={
        <LinkButton href={withQuery(Object.fromEntries(filters.map((name) => [name, null])))}>
          Remove the filters
        </LinkButton>
      }
    >
      Change the search or a filter.
    </EmptyState>
  ) : (
    <EmptyState title="The catalog is empty">An operator sets up providers and models.</EmptyState>
  );
