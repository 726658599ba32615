import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

type ButtonContent = { kind?: ButtonKind; icon?: IconName; children: ComponentChildren; label?: string };

type ButtonProps = ButtonContent & {
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent) => void;
  isDisabled?: boolean;
  /** The button waits for the server. */
  isRunning?: boolean;
};

/** A button. `label` replaces its text for screen readers, where the text alone is ambiguous. */
export const Button = ({
  kind = 'secondary',
  type = 'button',
  icon,
  children,
  label,
  onClick,
  isDisabled = false,
  isRunning = false,
}: ButtonProps) => (
  <button
    type={type}
    class={`button ${kind}`}
    aria-label={label}
    aria-busy={isRunning || undefined}
    // A disabled button would lose the focus.
    aria-disabled={isRunning || undefined}
    disabled={isDisabled}
    onClick={(event) => (isRunning ? event.preventDefault() : onClick?.(event))}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

/** A link that looks like a button. */
export const LinkButton = ({
  kind = 'secondary',
  icon,
  href,
  children,
  label,
  download,
}: ButtonContent & { href: string; download?: boolean | string }) => (
  <a class={`button ${kind}`} href={href} aria-label={label} download={download}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
);

type IconButtonProps = {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent) => void;
  isDisabled?: boolean;
};

/** A button with an icon alone. */
export const IconButton = ({ icon, label, onClick, isDisabled = false }: IconButtonProps) => (
  <button type="button" class="icon-button" title={label} onClick={onClick} disabled={isDisabled}>
    <Icon name={icon} label={label} />
  </button>
);
