import type { ModelList, ModelRow } from '../../../src/api/dashboard/model-schema.ts';
import { queryValue, setQuery } from '../../app/address.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { capabilityLabels } from './model-facts.tsx';

const any = { value: '', label: 'Any' };

const withCounts = (facet: ModelList['vendors']) => [
  any,
  ...facet.map(({ value, count }) => ({ value, label: `${value} (${count})` })),
];

const kinds: readonly { value: ModelRow['kind']; label: string }[] = [
  { value: 'chat', label: 'Chat' },
  { value: 'embedding', label: 'Embedding' },
  { value: 'image', label: 'Images' },
  { value: 'speech', label: 'Speech' },
  { value: 'transcription', label: 'Transcription' },
  { value: 'rerank', label: 'Rerank' },
  { value: 'moderation', label: 'Moderation' },
];

/** The filters of the catalog. The address keeps them. */
export const ModelFilters = ({ of: list }: { of: ModelList | undefined }) => (
  <>
    <Filters>
      <TextFilter param="q" label="Search" placeholder="Name or id" />
      <ChoiceFilter
        param="included"
        label="Access"
        options={[any, { value: 'yes', label: 'Included' }, { value: 'no', label: 'Not included' }]}
      />
      <ChoiceFilter param="owned_by" label="Vendor" options={withCounts(list?.vendors ?? [])} />
      <ChoiceFilter param="tier" label="Tier" options={withCounts(list?.tiers ?? [])} />
      <ChoiceFilter param="kind" label="Kind" options={[any, ...kinds]} />
      <ChoiceFilter
        param="sort"
        label="Order"
        options={[
          { value: 'catalog', label: 'As in the catalog' },
          { value: 'name', label: 'Name' },
          { value: 'newest', label: 'Newest' },
          { value: 'input', label: 'Input price' },
          { value: 'output', label: 'Output price' },
          { value: 'context', label: 'Longest context' },
        ]}
      />
    </Filters>
    <CapabilityFilter />
  </>
);

/** A model must have every chosen capability. */
function CapabilityFilter() {
  const chosen = queryValue('capabilities').split(',').filter(Boolean);
  return (
    <fieldset class="choices">
      <legend>Capabilities</legend>
      {Object.entries(capabilityLabels).map(([name, label]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget }) => {
              const next = chosen.filter((one) => one !== name);
              if (currentTarget.checked) next.push(name);
              setQuery({ capabilities: next.join(','), after: null });
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
