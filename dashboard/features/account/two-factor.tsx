import { useState } from 'preact/hooks';
import type { TwoFactorView } from '../../../src/console/dashboard/profile-schema.ts';
import { Status } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { NeedsPassword } from './needs-password.tsx';
import type { ProfileProps } from './own-name.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorDialog, type TwoFactorStep } from './two-factor-dialog.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

/** A code of an authenticator app, in addition to the password. */
export function TwoFactor({ profile, onChanged }: ProfileProps) {
  const [step, setStep] = useState<TwoFactorStep>();
  const [draft, setDraft] = useState<TwoFactorView>();
  const [codes, setCodes] = useState<readonly string[]>();
  const isOn = profile.two_factor;
  return (
    <Section
      title="Two-factor sign-in"
      lead="The sign-in needs your password and a code from an authenticator app."
      actions={<Status tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Status>}
      isCard
    >
      {profile.has_password ? (
        <div class="actions">
          {!isOn && <Button onClick={() => setStep('begin')}>Turn on</Button>}
          {isOn && <Button onClick={() => setStep('codes')}>New recovery codes</Button>}
          {isOn && (
            <Button kind="danger" onClick={() => setStep('off')}>
              Turn off
            </Button>
          )}
        </div>
      ) : (
        <NeedsPassword email={profile.email} />
      )}
      {codes && <RecoveryCodes codes={codes} />}
      {step && (
        <TwoFactorDialog
          {...{ step, onDraft: setDraft, onCodes: setCodes, onChanged }}
          onClose={() => setStep(undefined)}
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
