import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type SectionProps = {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
  /** Shows the section in a box of its own. */
  isCard?: boolean;
};

/** A part of a page with a heading. */
export function Section({ title, lead, actions, children, isCard = false }: SectionProps) {
  const id = useId();
  return (
    <section class={isCard ? 'section card' : 'section'} aria-labelledby={id}>
      <div class="section-line">
        <h2 id={id}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
