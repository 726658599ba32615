import type { ComponentChildren } from 'preact';
import { Sparkline } from './sparkline.tsx';

type StatProps = {
  label: string;
  /** Undefined until the figure is loaded. */
  value: ComponentChildren | undefined;
  note?: ComponentChildren;
  /** The course that led to the value. */
  values?: readonly number[];
  href?: string;
};

/** A number with its name. */
export const Stat = ({ label, value, note, values, href }: StatProps) => (
  <div class="stat">
    <p class="stat-label">{href ? <a href={href}>{label}</a> : label}</p>
    <p class="stat-value">{value === undefined ? <span class="skeleton-line" /> : value}</p>
    {note && <p class="stat-note">{note}</p>}
    {values && <Sparkline values={values} />}
  </div>
);

/** Several numbers in a row that wraps. */
export const Stats = ({ children }: { children: ComponentChildren }) => <div class="stats">{children}</div>;
