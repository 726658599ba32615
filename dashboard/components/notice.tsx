import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

type NoticeKind = 'info' | 'success' | 'warning' | 'error';

type NoticeProps = {
  kind?: NoticeKind;
  title?: string;
  children?: ComponentChildren;
  /** Buttons at its end. */
  actions?: ComponentChildren;
  /** Says it at once to screen readers. */
  isAlert?: boolean;
};

const icons = { info: 'info', success: 'check', warning: 'warning', error: 'warning' } as const;

/** A message in the flow of a page. */
export const Notice = ({ kind = 'info', title, children, actions, isAlert = false }: NoticeProps) => (
  <div class={`notice ${kind}`} role={isAlert ? 'alert' : undefined}>
    <Icon name={icons[kind]} />
    <div class="notice-text">
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </div>
);
