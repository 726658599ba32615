import { useState } from 'preact/hooks';
import type { AlertTestView, ReceiverView } from '../../../src/console/dashboard/receiver-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { hasRole } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Status } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Section } from '../../components/section.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { toast } from '../../components/toasts.tsx';

/** Sets the addresses for alerts about low credit, caps of keys and failed payments. */
export function AlertSettings({ path }: { path: string }) {
  const alerts = useQuery<ReceiverView>(`${path}/alerts`);
  return (
    <Section title="Alerts" lead="Alerts report low credit, keys near their cap and failed payments." isCard>
      <Loaded query={alerts}>{(settings) => <AlertForm path={path} settings={settings} />}</Loaded>
    </Section>
  );
}

type AlertProps = { path: string; settings: ReceiverView };

function AlertForm({ path, settings }: AlertProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const isDisabled = !hasRole('owner');
  const save = async (to: string, body: object) => {
    const saved = await call<ReceiverView>('POST', `${path}${to}`, body);
    setSecret(saved.secret);
    refreshAnswers(`${path}/alerts`);
    toast('The settings were saved.');
  };
  const rotation = useAction(() => save('/alerts/secret', {}));
  return (
    <>
      {secret && <SecretOnce label="Signing secret of the webhook." secret={secret} />}
      <Form
        submitLabel="Save"
        isDisabled={isDisabled}
        onSubmit={(values) => save('/alerts', orderOf(values))}
        actions={
          settings.webhook_url !== null &&
          !isDisabled && (
            <Button onClick={() => void rotation.run()} isRunning={rotation.isRunning}>
              Replace the secret
            </Button>
          )
        }
      >
        <Input
          label="Alert when this percentage of credits is left"
          name="low_percents"
          suffix="%"
          pattern="[0-9]{1,2}(\s*,\s*[0-9]{1,2}){0,4}"
          hint="Numbers from 0 to 99, separated by commas. Without a number, no alert is sent."
          {...{ value: settings.low_percents.join(', '), isDisabled }}
        />
        <Checkbox
          label="Alert when a key has spent 80% and 100% of its monthly cap"
          name="caps"
          {...{ isChecked: settings.caps, isDisabled }}
        />
        {!settings.mail && (
          <Notice title="This server sends no mail">The operator has not set up mail. Use a webhook.</Notice>
        )}
        {settings.unconfirmed.length > 0 && (
          <Notice title="Not confirmed yet">
            {settings.unconfirmed.join(', ')}: alerts are sent after the link in a mail was opened. Save again
            to send another link.
          </Notice>
        )}
        <Textarea
          label="Mail addresses"
          name="addresses"
          rows={3}
          hint="One address per line, at most 10. A new address gets a link that confirms it."
          {...{ value: settings.addresses.join('\n'), isDisabled }}
        />
        <Input
          label="Webhook"
          name="webhook_url"
          type="url"
          hint="The address must use HTTPS. Each message is signed with a secret that is shown once."
          {...{ value: settings.webhook_url ?? '', isDisabled }}
        />
      </Form>
      {!isDisabled && <TestAlert path={path} />}
    </>
  );
}

function TestAlert({ path }: { path: string }) {
  const [sent, setSent] = useState<AlertTestView>();
  const { run, isRunning, problem } = useAction(async () => {
    setSent(await call<AlertTestView>('POST', `${path}/alerts/test`, {}));
  });
  return (
    <div class="alert-test">
      <Button onClick={() => void run()} isRunning={isRunning}>
        Send a test alert
      </Button>
      {problem && <ProblemNotice problem={problem} />}
      <div role="status">
        {sent && (
          <ul>
            {sent.data.map(({ receiver, state, error }, index) => (
              <li key={index}>
                <Status tone={state === 'delivered' ? 'good' : 'warning'}>{state}</Status> {receiver} {error}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

const words = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== '');

const orderOf = (values: FormValues) => ({
  addresses: words(values.addresses ?? '', /[\n,]/),
  webhook_url: values.webhook_url?.trim() || null,
  low_percents: words(values.low_percents ?? '', /,/).map(Number),
  caps: values.caps !== undefined,
});
