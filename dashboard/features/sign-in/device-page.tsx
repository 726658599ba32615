import { useState } from 'preact/hooks';
import type { DeviceView } from '../../../src/console/dashboard/device-schema.ts';
import type { SessionView } from '../../../src/console/dashboard/session-schema.ts';
import { queryValue } from '../../app/address.ts';
import { call } from '../../app/call.ts';
import { organization, organizations, person } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Select } from '../../components/select.tsx';
import { AuthCard } from './auth-card.tsx';

type Status = DeviceView['status'];

const TITLE = 'Sign in to Claude Code';

/**
 * Approves or denies the sign-in of a client that shows a code. Nothing is sent before a button is pressed.
 */
export function DevicePage() {
  const [decided, setDecided] = useState<Status>();
  const able = organizations.value.filter(({ role }) => role !== 'viewer');
  if (decided) return <Decided status={decided} />;
  if (able.length > 0) return <Decision able={able} onDecided={setDecided} />;
  return (
    <AuthCard title={TITLE}>
      <Notice kind="warning">
        You have the role viewer. Ask an owner of the organization for the role developer.
      </Notice>
    </AuthCard>
  );
}

type DecisionProps = { able: SessionView['organizations']; onDecided: (status: Status) => void };

function Decision({ able, onDecided }: DecisionProps) {
  const first = able.find(({ id }) => id === organization.value?.id) ?? able[0]!;
  const [code, setCode] = useState(queryValue('user_code') ?? '');
  const [account, setAccount] = useState(first.id);
  const decide = async (approve: boolean) =>
    onDecided((await call<DeviceView>('POST', '/device', { user_code: code, account, approve })).status);
  const denial = useAction(() => decide(false));
  return (
    <AuthCard
      title={TITLE}
      lead={
        <>
          Claude Code shows a code in your terminal. Approve it only if you started the sign-in yourself, and
          if both codes are the same.
        </>
      }
      foot={<>Signed in as {person.value!.email}</>}
    >
      <Form
        submitLabel="Approve"
        onSubmit={() => decide(true)}
        actions={
          <Button
            isRunning={denial.isRunning}
            isDisabled={code.trim() === ''}
            onClick={() => void denial.run()}
          >
            Deny
          </Button>
        }
      >
        <Input
          name="user_code"
          label="Code"
          value={code}
          onInput={setCode}
          autocomplete="off"
          placeholder="XXXX-XXXX"
          maxLength={40}
          isRequired
        />
        {able.length > 1 ? (
          <Select
            name="account"
            label="Organization"
            hint="It pays for the requests."
            options={able.map(({ id, name }) => ({ value: id, label: name }))}
            value={account}
            onChange={setAccount}
          />
        ) : (
          <p>
            Requests are charged to <strong>{first.name}</strong>.
          </p>
        )}
        {denial.problem && <ProblemNotice problem={denial.problem} />}
      </Form>
    </AuthCard>
  );
}

const Decided = ({ status }: { status: Status }) => (
  <AuthCard title={status === 'approved' ? 'Claude Code is signed in' : 'The sign-in was denied'}>
    <Notice kind={status === 'approved' ? 'success' : 'info'} isAlert>
      {status === 'approved'
        ? 'Go back to your terminal. The key of this sign-in is listed on the page Keys.'
        : 'Claude Code gets no key. You can close this page.'}
    </Notice>
    <LinkButton href="/keys">Go to the keys</LinkButton>
  </AuthCard>
);
