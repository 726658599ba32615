import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { session } from '../../app/session.ts';
import { EmailInput } from '../../components/email-input.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { AuthCard } from './auth-card.tsx';

type LinkFormProps = {
  title: string;
  lead: string;
  /** The route of the API that sends the link. */
  kind: 'verification' | 'reset';
};

/** Asks for a link by mail. The answer is the same for every address. */
export function LinkForm({ title, lead, kind }: LinkFormProps) {
  const [sentTo, setSentTo] = useState<string>();
  const ask = async ({ email }: Readonly<Record<string, string>>) => {
    await call('POST', `/session/${kind}`, { email });
    setSentTo(email);
  };
  return (
    <AuthCard title={title} lead={lead} foot={<a href="/sign-in">Back to the sign-in</a>}>
      {sentTo && (
        <Notice kind="success" isAlert>
          {session.value!.settings.mail
            ? `If ${sentTo} has an account, a link is on its way. It works for a limited time.`
            : `If ${sentTo} has an account, the operator of this server has a link for you. This server sends no mail.`}
        </Notice>
      )}
      <Form submitLabel="Send a link" onSubmit={ask}>
        <EmailInput autocomplete="username" />
      </Form>
    </AuthCard>
  );
}
