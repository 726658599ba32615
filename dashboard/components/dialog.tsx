import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';

type DialogProps = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Wider than a form needs. */
  isWide?: boolean;
  /** Only the buttons close the dialog, since its content cannot be shown again. */
  isKept?: boolean;
  /** Hides the page behind the dialog, so that it cannot be read. */
  hidesPage?: boolean;
};

const FIRST_FIELD = 'form :is(input:not([type="hidden"]), select, textarea):enabled';

/** A dialog. It is open while it is rendered. The browser keeps the focus in it and returns it at the end. */
export function Dialog({
  title,
  onClose,
  children,
  isWide = false,
  isKept = false,
  hidesPage = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const element = dialog.current!;
    element.showModal();
    // The browser focuses the first control, which is the button to close, unless a field asks for the focus.
    if (!element.querySelector('[autofocus]')) element.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      element.close();
      opener?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={['dialog', isWide && 'wide', hidesPage && 'covering'].filter(Boolean).join(' ')}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isKept) onClose();
      }}
      onKeyDown={(event) => {
        // Some browsers close a dialog at a second Escape without asking.
        if (isKept && event.key === 'Escape') event.preventDefault();
      }}
      onMouseDown={({ target }) => {
        // A press outside a form must not discard what was typed.
        if (target === dialog.current && !isKept && !dialog.current?.querySelector('form')) onClose();
      }}
    >
      <div class="dialog-content">
        <header class="dialog-header">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
