import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Change } from './finish-change.ts';
import { FormDialog } from './form-dialog.tsx';
import { Input } from './input.tsx';

export type ConfirmDialogProps = Change & {
  title: string;
  /** Says what will happen. */
  children: ComponentChildren;
  confirmLabel: string;
  /** Throws a `Problem` if the server refuses, which the dialog shows. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  isDangerous?: boolean | undefined;
  /** A text to type first, for changes that cannot be undone. */
  typed?: string | undefined;
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
  ...change
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  return (
    <FormDialog
      {...change}
      title={title}
      submitLabel={confirmLabel}
      submitKind={isDangerous ? 'danger' : 'primary'}
      isDisabled={typed !== undefined && text !== typed}
      onClose={onClose}
      onSubmit={onConfirm}
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
    </FormDialog>
  );
}
