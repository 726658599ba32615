import type { ComponentChildren } from 'preact';

type EmptyStateProps = { title: string; children?: ComponentChildren; action?: ComponentChildren };

/** Replaces a list without rows. Says why it is empty and what to do. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div class="state">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);
