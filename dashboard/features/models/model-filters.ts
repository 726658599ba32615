import type { ModelList, ModelRow } from '../../../src/console/dashboard/model-schema.ts';
import type { Filter } from '../../components/list-page.tsx';

const any = { value: '', label: 'Any' };

const withCounts = (facet: ModelList['vendors'] = []) => [
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
export const modelFilters: readonly Filter<ModelList>[] = [
  { param: 'q', label: 'Search', placeholder: 'Name or id' },
  {
    param: 'included',
    label: 'Access',
    options: [any, { value: 'yes', label: 'Included' }, { value: 'no', label: 'Not included' }],
  },
  { param: 'owned_by', label: 'Vendor', options: (list) => withCounts(list?.vendors) },
  { param: 'tier', label: 'Tier', options: (list) => withCounts(list?.tiers) },
  { param: 'kind', label: 'Kind', options: [any, ...kinds] },
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
