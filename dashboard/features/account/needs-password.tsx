import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { toast } from '../../components/toasts.tsx';

/** The way to a first password for a person who signs in at a provider alone. The link of a reset sets it. */
export function NeedsPassword({ email }: { email: string }) {
  const ask = useAction(async () => {
    await call('POST', '/session/reset', { email });
    toast(`A link to set a password is on its way to ${email}.`);
  });
  const button = (
    <Button isRunning={ask.isRunning} onClick={() => void ask.run()}>
      Set a password
    </Button>
  );
  return (
    <>
      <Notice actions={button}>This change needs a password. You have not set one yet.</Notice>
      {ask.problem && <ProblemNotice problem={ask.problem} />}
    </>
  );
}
