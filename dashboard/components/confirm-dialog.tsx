import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { Input } from './input.tsx';

export type ConfirmDialogProps = {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  confirmLabel: string;
  /** Throws a `Problem` if the server refuses, which the dialog shows. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  isDangerous?: boolean;
  /** A text to type first, for changes that cannot be undone. */
  typed?: string;
};

/** Asks before a change. It closes after the change. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  onConfirm,
  onClose,
  isDangerous = true,
  typed,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submitLabel={confirmLabel}
        submitKind={isDangerous ? 'danger' : 'primary'}
        isDisabled={typed !== undefined && text !== typed}
        onSubmit={async () => {
          await onConfirm();
          onClose();
        }}
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        <div>{children}</div>
        {typed !== undefined && (
          <Input
            label={`Type ${typed} to confirm`}
            value={text}
            onInput={setText}
            isRequired
            autocomplete="off"
          />
        )}
      </Form>
    </Dialog>
  );
}
