import type { RecoveryCodesView, TwoFactorView } from '../../../src/console/dashboard/profile-schema.ts';
import { toast } from '../../components/toasts.tsx';
import { PasswordDialog } from './password-dialog.tsx';

export type TwoFactorStep = 'begin' | 'off' | 'codes';

type TwoFactorDialogProps = {
  step: TwoFactorStep;
  onClose: () => void;
  onDraft: (draft: TwoFactorView) => void;
  onCodes: (codes: readonly string[] | undefined) => void;
  onChanged: () => Promise<void>;
};

/** Asks for the password before each change of the second factor. */
export function TwoFactorDialog({ step, onClose, onDraft, onCodes, onChanged }: TwoFactorDialogProps) {
  if (step === 'begin')
    return (
      <PasswordDialog<TwoFactorView>
        {...{ title: 'Turn two-factor sign-in on', path: '/me/two-factor', label: 'Continue', onClose }}
        onAnswer={async (draft) => onDraft(draft)}
      />
    );
  if (step === 'codes')
    return (
      <PasswordDialog<RecoveryCodesView>
        {...{ title: 'New recovery codes', path: '/me/recovery-codes', label: 'Make new codes', onClose }}
        text="The codes that you have now stop working."
        onAnswer={async ({ recovery_codes }) => onCodes(recovery_codes)}
      />
    );
  return (
    <PasswordDialog
      {...{
        title: 'Turn two-factor sign-in off',
        path: '/me/two-factor/disable',
        label: 'Turn off',
        onClose,
      }}
      text="Your password alone then signs you in."
      onAnswer={async () => {
        onCodes(undefined);
        toast('Two-factor sign-in is off.');
        await onChanged();
      }}
    />
  );
}
