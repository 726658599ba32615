import type { ModelList, ModelRow } from '../../../src/console/dashboard/model-schema.ts';
import { anyOption } from '../../components/filter-options.ts';
import type { Filter } from '../../components/list-page.tsx';
import { optionsOf } from '../../components/options-of.ts';

type Facet = ModelList['vendors'] | ModelList['tiers'];

const withCounts = (facet: Facet = []) => [
  anyOption,
  ...facet.map(({ value, count }) => ({ value, label: `${value} (${count})` })),
];

const kindLabels: Readonly<Record<ModelRow['kind'], string>> = {
  chat: 'Chat',
  embedding: 'Embedding',
  image: 'Images',
  speech: 'Speech',
  transcription: 'Transcription',
  rerank: 'Rerank',
  moderation: 'Moderation',
};

/** The filters of the catalog. The address keeps them. */
export const modelFilters: readonly Filter<ModelList>[] = [
  { param: 'q', label: 'Search', placeholder: 'Name or id' },
  {
    param: 'included',
    label: 'Access',
    options: [anyOption, { value: 'yes', label: 'Included' }, { value: 'no', label: 'Not included' }],
  },
  { param: 'owned_by', label: 'Vendor', options: (list) => withCounts(list?.vendors) },
  { param: 'tier', label: 'Tier', options: (list) => withCounts(list?.tiers) },
  { param: 'kind', label: 'Kind', options: [anyOption, ...optionsOf(kindLabels)] },
  {
    param: 'sort',
    label: 'Order',
    options: [
      { value: 'catalog', label: 'As in the catalog' },
      { value: 'name', label: 'Name' },
      { value: 'newest', label: 'Newest' },
      { value: 'input', label: 'Input price' },
      { value: 'output', label: 'Output price' },
      { value: 'context', label: 'Longest context' },
    ],
  },
];
