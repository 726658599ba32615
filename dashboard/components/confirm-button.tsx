import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { DialogButton, type OpenerProps } from './dialog-button.tsx';

type ConfirmButtonProps = OpenerProps &
  Omit<ConfirmDialogProps, 'onClose' | 'confirmLabel'> & { confirmLabel?: string };

/** A button for a change that a dialog asks about first. */
export const ConfirmButton = ({ label, about, kind, icon, isDisabled, ...dialog }: ConfirmButtonProps) => (
  <DialogButton label={label} about={about} kind={kind} icon={icon} isDisabled={isDisabled}>
    {(close) => <ConfirmDialog confirmLabel={label} {...dialog} onClose={close} />}
  </DialogButton>
);
