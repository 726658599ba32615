import type { ComponentChildren } from 'preact';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'accent';

/** A short word about a row, such as a plan or a role. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A state with a dot, so that colour is not its only sign. */
export const Status = ({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`status ${tone}`}>{children}</span>
);
