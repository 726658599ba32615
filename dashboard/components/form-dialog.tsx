import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps, type FormValues } from './form.tsx';

/** The content that replaces the form of a dialog after a change, such as a secret that is shown once. */
export type DialogContent = { title?: string; content: ComponentChildren; isWide?: boolean };

export type FormDialogProps = Omit<FormProps, 'onSubmit' | 'actions'> & {
  title: string;
  onClose: () => void;
  /**
   * Throws a `Problem` if the server refuses. The dialog closes after the change, unless this calls `show`.
   */
  onSubmit: (values: FormValues, show: (shown: DialogContent) => void) => Promise<unknown>;
};

/** A form in a dialog. The dialog closes after the change, or shows what the change made. */
export function FormDialog({ title, onClose, onSubmit, ...form }: FormDialogProps) {
  const [shown, setShown] = useState<DialogContent>();
  const submit = async (values: FormValues) => {
    let isKept = false;
    await onSubmit(values, (next) => {
      isKept = true;
      setShown(next);
    });
    if (!isKept) onClose();
  };
  return (
    <Dialog
      title={shown?.title ?? title}
      onClose={onClose}
      isWide={shown?.isWide ?? false}
      isKept={shown !== undefined}
    >
      {shown ? (
        shown.content
      ) : (
        <Form {...form} onSubmit={submit} actions={<Button onClick={onClose}>Cancel</Button>} />
      )}
    </Dialog>
  );
}
