import { DialogButton, type OpenerProps } from './dialog-button.tsx';
import type { Change } from './finish-change.ts';
import type { FormContent } from './form.tsx';
import { FormDialog, type SubmitInDialog } from './form-dialog.tsx';

export type FormButtonProps = OpenerProps &
  Change &
  FormContent & { title?: string; submitLabel?: string; onSubmit: SubmitInDialog };

/** A button that opens a form. Its label is also the title and the button of the dialog by default. */
export const FormButton = ({ label, about, kind, icon, isDisabled, ...dialog }: FormButtonProps) => (
  <DialogButton label={label} about={about} kind={kind} icon={icon} isDisabled={isDisabled}>
    {(close) => <FormDialog title={label} submitLabel={label} {...dialog} onClose={close} />}
  </DialogButton>
);
