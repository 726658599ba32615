import { DialogButton, type OpenerProps } from './dialog-button.tsx';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';

export type FormButtonProps = OpenerProps &
  Omit<FormDialogProps, 'onClose' | 'title' | 'submitLabel'> & { title?: string; submitLabel?: string };

/** A button that opens a form. Its label is the title of the dialog too, unless there are others. */
export const FormButton = ({ label, about, kind, icon, isDisabled, ...dialog }: FormButtonProps) => (
  <DialogButton {...{ label, about, kind, icon, isDisabled }}>
    {(close) => <FormDialog title={label} submitLabel={label} {...dialog} onClose={close} />}
  </DialogButton>
);
