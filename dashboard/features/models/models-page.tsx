import type { ModelList, ModelRow } from '../../../src/console/dashboard/model-schema.ts';
import { queryValue, withQuery } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount, formatNumber, formatPrice, formatTokens } from '../../components/format.ts';
import { ListPage } from '../../components/list-page.tsx';
import { Named } from '../../components/named.tsx';
import { CapabilityFilter } from './capability-filter.tsx';
import { Access, Capabilities, hasTokenPrices } from './model-facts.tsx';
import { modelFilters } from './model-filters.ts';

const columns: readonly Column<ModelRow>[] = [
  textColumn('model', 'Model', ({ id, name }) => <Named name={name} id={id} href={modelPath(id)} />),
  textColumn('access', 'Access', (model) => <Access model={model} />),
  minor(textColumn('vendor', 'Vendor', ({ owned_by }) => owned_by)),
  numberColumn('context', 'Context', ({ context_window }) =>
    context_window > 0 ? formatTokens(context_window) : '–',
  ),
  numberColumn('input', 'Input', (model) => (hasTokenPrices(model) ? formatPrice(model.prices.input) : '–')),
  numberColumn('output', 'Output', ({ kind, prices }) =>
    kind === 'chat' ? formatPrice(prices.output) : '–',
  ),
  textColumn('abilities', 'Capabilities', (model) => <Capabilities model={model} />),
];

/** Ids of open-weight models have a slash, which the address keeps. */
const modelPath = (id: string): string => `/models/${id.split('/').map(encodeURIComponent).join('/')}`;

const leadOf = (list: ModelList | undefined): string =>
  list
    ? `The ${list.plan.name} plan of this organization decides which of them are included. Prices are for a million tokens.`
    : 'Prices are for a million tokens.';

/** The catalog, as the clients of the organization see it. */
export const ModelsPage = () => (
  <ListPage<ModelRow, ModelList>
    title="Models"
    lead={leadOf}
    path={inOrganization('/models')}
    filters={modelFilters}
    parameters={{ capabilities: queryValue('capabilities') }}
    above={(list) => <Found list={list} />}
    caption="Models"
    columns={columns}
    sortParam="none"
    expectedRows={14}
    empty={({ total }) => <NoModels isFiltered={total > 0} />}
  >
    <CapabilityFilter />
  </ListPage>
);

const Found = ({ list: { found, total } }: { list: ModelList }) => (
  <p class="soft found" role="status">
    {found === total
      ? formatCount(total, 'model')
      : `${formatNumber(found)} of ${formatCount(total, 'model')}`}
  </p>
);

/** The order is not a filter. */
const unfiltered = Object.fromEntries(
  ['capabilities', 'after', ...modelFilters.map(({ param }) => param)]
    .filter((param) => param !== 'sort')
    .map((param) => [param, null]),
);

const NoModels = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      title="No matching models"
      action={<LinkButton href={withQuery(unfiltered)}>Remove the filters</LinkButton>}
    >
      Change the search or a filter.
    </EmptyState>
  ) : (
    <EmptyState title="The catalog is empty">An operator sets up providers and models.</EmptyState>
  );
