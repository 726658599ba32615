import type { SeparateTokens } from '../../translation/canonical/usage-detail.ts';

/** The names of work that an upstream counts separately from the answer. */
export const additionalWork: Readonly<Record<SeparateTokens['kind'], string>> = {
  compaction: 'a compaction of the conversation',
  advisor: 'an advisor model',
  fallback: 'a fallback model',
  image: 'generated images',
  other: 'other work of the upstream',
};
