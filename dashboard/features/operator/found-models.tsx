import { queryValue } from '../../app/address.ts';
import type { Column } from '../../components/column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import type { ModelRow } from './rows.ts';

const MAX_SHOWN = 200;

/** The filter of a list of models. */
export const ModelFilter = () => (
  <Filters>
    <TextFilter param="search" label="Search" placeholder="Model or provider" />
  </Filters>
);

type Props = { models: readonly ModelRow[]; columns: readonly Column<ModelRow>[] };

/** The models with the searched text in their names or routes. */
export function FoundModels({ models, columns }: Props) {
  const search = queryValue('search').toLowerCase();
  const fitting = models.filter((model) => textOf(model).includes(search));
  return (
    <>
      {fitting.length > MAX_SHOWN && (
        <Notice title={`The first ${MAX_SHOWN} of ${fitting.length} models are shown`}>
          Search for the others.
        </Notice>
      )}
      <Table
        caption="Models"
        columns={columns}
        rows={fitting.slice(0, MAX_SHOWN)}
        empty={<EmptyState title="No matching models">Search for another name.</EmptyState>}
      />
    </>
  );
}

const textOf = ({ id, aliases, routes }: ModelRow): string =>
  JSON.stringify([id, aliases, routes]).toLowerCase();
