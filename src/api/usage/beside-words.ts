import type { SeparateTokens } from '../../translation/canonical/usage-detail.ts';

/** The kinds of work whose tokens an upstream counts apart from the answer's own, in words. */
export const besideWords: Readonly<Record<SeparateTokens['kind'], string>> = {
  compaction: 'a compaction of the conversation',
  advisor: 'an advisor model',
  fallback: 'a fallback model',
  image: 'generated images',
  other: 'other work of the upstream',
};
