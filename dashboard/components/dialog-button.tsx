import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type ButtonKind } from './button.tsx';
import type { IconName } from './icon.tsx';

export type OpenerProps = {
  /** The text of the button. */
  label: string;
  /** Replaces the text for screen readers, where the text alone is ambiguous. */
  about?: string;
  kind?: ButtonKind;
  icon?: IconName;
  isDisabled?: boolean;
};

/** A button that opens a dialog. The dialog is rendered while it is open. */
export function DialogButton({
  label,
  about,
  children,
  ...button
}: OpenerProps & { children: (close: () => void) => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} label={about} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
