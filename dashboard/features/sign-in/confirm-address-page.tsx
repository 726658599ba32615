import { useState } from 'preact/hooks';
import type { ConfirmedAddressView } from '../../../src/console/dashboard/receiver-schema.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { AuthCard } from './auth-card.tsx';
import { useFragmentToken } from './use-fragment-token.ts';

/**
 * The target of the link that confirms a mail address for alerts.
 * It changes nothing until the button is pressed.
 */
export function ConfirmAddressPage() {
  const token = useFragmentToken();
  const [address, setAddress] = useState<string>();
  const { run, isRunning, problem } = useAction(async () => {
    const answer = await call<ConfirmedAddressView>('POST', '/alert-addresses/confirm', { token });
    setAddress(answer.address);
  });
  if (address !== undefined)
    return (
      <AuthCard title="Your address is confirmed" lead={`${address} gets the alerts of the organization.`} />
    );
  return (
    <AuthCard
      title="Receive alerts"
      lead="An organization wants to send alerts to your address. Confirm only if you know the organization."
    >
      {!token && <Notice kind="warning">Open the link in the message again to confirm the address.</Notice>}
      {problem && <ProblemNotice problem={problem} />}
      <Button kind="primary" onClick={() => void run()} isRunning={isRunning} isDisabled={!token}>
        Confirm my address
      </Button>
    </AuthCard>
  );
}
