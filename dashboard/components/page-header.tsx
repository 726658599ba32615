import type { ComponentChildren } from 'preact';

export type PageHeaderProps = {
  title: string;
  /** One sentence about the page. */
  lead?: ComponentChildren;
  /** Buttons at the end of the line. */
  actions?: ComponentChildren;
  /** The page above this one. */
  back?: { href: string; label: string };
};

/** The title of a page. Every page has one, and it takes the focus after a navigation. */
export const PageHeader = ({ title, lead, actions, back }: PageHeaderProps) => (
  <header class="page-header">
    {back && (
      <a class="back" href={back.href}>
        ← {back.label}
      </a>
    )}
    <div class="page-header-line">
      <h1 tabIndex={-1}>{title}</h1>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {lead && <p class="lead">{lead}</p>}
  </header>
);
