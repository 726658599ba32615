import type { CanonicalRequest } from '../../canonical/request.ts';

/** `proof`: signatures without the text, as `display: omitted` requests. */
export type ThinkingView = 'whole' | 'proof' | 'none';

/** Returns what the client asked to see of the thinking. */
export function thinkingView({ thinking }: CanonicalRequest): ThinkingView {
  if (thinking?.visible) return 'whole';
  return thinking?.display === 'omitted' && thinking.mode !== 'disabled' ? 'proof' : 'none';
}
