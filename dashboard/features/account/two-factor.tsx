import { useState } from 'preact/hooks';
import type { TwoFactorView } from '../../../src/api/dashboard/profile-schema.ts';
import { Status } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
import { NeedsPassword } from './needs-password.tsx';
import type { ProfileProps } from './own-name.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

type Step = 'begin' | 'off' | 'codes';

/** A code of an authenticator app, in addition to the password. */
export function TwoFactor({ profile, onChanged }: ProfileProps) {
  const [step, setStep] = useState<Step>();
  const [draft, setDraft] = useState<TwoFactorView>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setStep(undefined);
  return (
    <Section
      title="Two-factor sign-in"
      lead="A code of an authenticator app, in addition to your password."
      actions={
        <Status tone={profile.two_factor ? 'good' : 'neutral'}>{profile.two_factor ? 'On' : 'Off'}</Status>
      }
      isCard
    >
      {profile.has_password ? (
        <div class="actions">
          {!profile.two_factor && <Button onClick={() => setStep('begin')}>Turn on</Button>}
          {profile.two_factor && <Button onClick={() => setStep('codes')}>New recovery codes</Button>}
          {profile.two_factor && (
            <Button kind="danger" onClick={() => setStep('off')}>
              Turn off
            </Button>
          )}
        </div>
      ) : (
        <NeedsPassword email={profile.email} />
      )}
      {codes && <RecoveryCodes codes={codes} />}
      {step === 'begin' && (
        <PasswordDialog<TwoFactorView>
          {...{
            title: 'Turn two-factor sign-in on',
            path: '/me/two-factor',
            label: 'Continue',
            onClose: close,
          }}
          onAnswer={async (answer) => setDraft(answer)}
        />
      )}
      {step === 'codes' && (
        <PasswordDialog<{ recovery_codes: string[] }>
          {...{
            title: 'New recovery codes',
            path: '/me/recovery-codes',
            label: 'Make new codes',
            onClose: close,
          }}
          text="The codes that you have now stop working."
          onAnswer={async ({ recovery_codes }) => setCodes(recovery_codes)}
        />
      )}
      {step === 'off' && (
        <PasswordDialog
          {...{ title: 'Turn two-factor sign-in off', path: '/me/two-factor/disable', label: 'Turn off' }}
          onClose={close}
          text="Your password alone then signs you in."
          onAnswer={async () => {
            setCodes(undefined);
            toast('Two-factor sign-in is off.');
            await onChanged();
          }}
        />
      )}
      {draft && (
        <TwoFactorSetup
          draft={draft}
          onClose={() => setDraft(undefined)}
          onConfirmed={async () => {
            setCodes(draft.recovery_codes);
            await onChanged();
          }}
        />
      )}
    </Section>
  );
}
