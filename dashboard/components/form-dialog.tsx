import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Change } from './finish-change.ts';
import { Form, type FormContent, type FormValues } from './form.tsx';

/** The content that replaces the form of a dialog after a change, such as a secret that is shown once. */
export type DialogContent = { title?: string; content: ComponentChildren; isWide?: boolean };

/** The properties of a form's dialog, without the fields and the request that a feature adds. */
export type FormDialogFrame = Change & { title: string; submitLabel: string; onClose: () => void };

/**
 * Sends the values of a form. Throws a `Problem` if the server refuses. The dialog closes after the change,
 * unless `show` is called.
 */
export type SubmitInDialog = (values: FormValues, show: (content: DialogContent) => void) => Promise<unknown>;

type FormDialogProps = FormDialogFrame & FormContent & { onSubmit: SubmitInDialog };

/** A form in a dialog. The dialog closes after the change, or shows what the change made. */
export function FormDialog({ title, onClose, onSubmit, ...form }: FormDialogProps) {
  const [result, setResult] = useState<DialogContent>();
  const [isRunning, setRunning] = useState(false);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const submit = async (values: FormValues) => {
    let isKept = false;
    setRunning(true);
    try {
      await onSubmit(values, (next) => {
        isKept = true;
        setResult(next);
      });
    } finally {
      setRunning(false);
    }
    // A person who has left the page in the meantime stays where they are.
    if (!isKept && isShown.current) onClose();
  };
  return (
    <Dialog
      title={result?.title ?? title}
      onClose={onClose}
      isWide={result?.isWide ?? false}
      // The answer to a request under way may be a secret that is shown once.
      isKept={isRunning || result !== undefined}
    >
      {result ? (
        result.content
      ) : (
        <Form {...form} onSubmit={submit} actions={<Button onClick={onClose}>Cancel</Button>} />
      )}
    </Dialog>
  );
}
