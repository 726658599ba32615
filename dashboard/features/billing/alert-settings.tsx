import { useState } from 'preact/hooks';
import type { ReceiverView } from '../../../src/console/dashboard/receiver-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { hasRole } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
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
import { TestAlert } from './test-alert.tsx';

/** Sets the addresses for alerts about low credit, caps of keys and failed payments. */
export function AlertSettings({ path }: { path: string }) {
  const alerts = useQuery<ReceiverView>(`${path}/alerts`);
  return (
    <Section title="Alerts" lead="Alerts report low credit, keys near their cap and failed payments." isCard>
      <Loaded query={alerts}>{(settings) => <AlertForm path={path} settings={settings} />}</Loaded>
    </Section>
  );
}

type AlertFormProps = { path: string; settings: ReceiverView };

function AlertForm({ path, settings }: AlertFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const isDisabled = !hasRole('owner');
  const save = async (subpath: string, body: object) => {
    const saved = await call<ReceiverView>('POST', `${path}${subpath}`, body);
    setSecret(saved.secret);
    refreshAnswers(`${path}/alerts`);
    toast('The settings were saved.');
  };
  const rotation = useAction(() => save('/alerts/secret', {}));
  return (
    <>
      {rotation.problem && <ProblemNotice problem={rotation.problem} />}
      {secret && <SecretOnce label="Signing secret of the webhook." secret={secret} />}
      <Form
        submitLabel="Save"
        isDisabled={isDisabled}
        onSubmit={(values) => save('/alerts', bodyOf(values))}
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
          value={settings.low_percents.join(', ')}
          isDisabled={isDisabled}
        />
        <Checkbox
          label="Alert when a key has spent 80% and 100% of its monthly cap"
          name="caps"
          isChecked={settings.caps}
          isDisabled={isDisabled}
        />
        <MailNotices settings={settings} />
        <Textarea
          label="Mail addresses"
          name="addresses"
          rows={3}
          hint="One address per line, at most 10. A new address gets a link that confirms it."
          value={settings.addresses.join('\n')}
          isDisabled={isDisabled}
        />
        <Input
          label="Webhook"
          name="webhook_url"
          type="url"
          hint="The address must use HTTPS. Each message is signed with a secret that is shown once."
          value={settings.webhook_url ?? ''}
          isDisabled={isDisabled}
        />
      </Form>
      {!isDisabled && <TestAlert path={path} />}
    </>
  );
}

/** Says which mail addresses get no alerts, and why. */
const MailNotices = ({ settings: { mail, unconfirmed } }: { settings: ReceiverView }) => (
  <>
    {!mail && (
      <Notice title="This server sends no mail">The operator has not set up mail. Use a webhook.</Notice>
    )}
    {unconfirmed.length > 0 && (
      <Notice title="Not confirmed yet">
        {unconfirmed.join(', ')}: alerts are sent after the link in a mail was opened. Save again to send
        another link.
      </Notice>
    )}
  </>
);

const partsOf = (text: string, separator: RegExp): string[] =>
  text.split(separator).flatMap((part) => part.trim() || []);

/** Returns the body that stores the settings of a form. */
const bodyOf = (values: FormValues) => ({
  addresses: partsOf(values.addresses ?? '', /[\n,]/),
  webhook_url: values.webhook_url?.trim() || null,
  low_percents: partsOf(values.low_percents ?? '', /,/).map(Number),
  caps: values.caps !== undefined,
});
