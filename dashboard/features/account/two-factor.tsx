import { useState } from 'preact/hooks';
import type { RecoveryCodesView, TwoFactorView } from '../../../src/console/dashboard/profile-schema.ts';
import { loadSession } from '../../app/session.ts';
import { Status } from '../../components/badge.tsx';
import { Section } from '../../components/section.tsx';
import { NeedsPassword } from './needs-password.tsx';
import { PasswordButton } from './password-button.tsx';
import type { ProfileSectionProps } from './profile-section-props.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

/** A code of an authenticator app, in addition to the password. */
export function TwoFactor({ profile, onChanged }: ProfileSectionProps) {
  const [draft, setDraft] = useState<TwoFactorView>();
  const [codes, setCodes] = useState<readonly string[]>();
  const isOn = profile.two_factor;
  const refresh = () => Promise.all([onChanged(), loadSession()]);
  return (
    <Section
      title="Two-factor sign-in"
      lead="The sign-in needs your password and a code from an authenticator app."
      actions={<Status tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Status>}
      isCard
    >
      {profile.has_password ? (
        <div class="actions">
          {isOn ? (
            <ChangeButtons onCodes={setCodes} onDisabled={refresh} />
          ) : (
            <PasswordButton<TwoFactorView>
              label="Turn on"
              title="Turn two-factor sign-in on"
              submitLabel="Continue"
              path="/me/two-factor"
              onAnswer={setDraft}
            />
          )}
        </div>
      ) : (
        <NeedsPassword email={profile.email} />
      )}
      {codes && <RecoveryCodes codes={codes} />}
      {draft && (
        <TwoFactorSetup
          draft={draft}
          onClose={() => setDraft(undefined)}
          onConfirmed={async () => {
            setCodes(draft.recovery_codes);
            await refresh();
          }}
        />
      )}
    </Section>
  );
}

type ChangeButtonsProps = {
  onCodes: (codes: readonly string[] | undefined) => void;
  onDisabled: () => Promise<unknown>;
};

/** The changes of a second factor that is on. */
const ChangeButtons = ({ onCodes, onDisabled }: ChangeButtonsProps) => (
  <>
    <PasswordButton<RecoveryCodesView>
      label="New recovery codes"
      submitLabel="Make new codes"
      text="The codes that you have now stop working."
      path="/me/recovery-codes"
      onAnswer={({ recovery_codes }) => onCodes(recovery_codes)}
    />
    <PasswordButton
      label="Turn off"
      kind="danger"
      title="Turn two-factor sign-in off"
      text="Your password alone then signs you in."
      path="/me/two-factor/disable"
      done="Two-factor sign-in is off."
      onAnswer={async () => {
        onCodes(undefined);
        await onDisabled();
      }}
    />
  </>
);
