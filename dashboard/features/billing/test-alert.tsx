import { useState } from 'preact/hooks';
import type { AlertTestView } from '../../../src/console/dashboard/receiver-schema.ts';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { Status } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';

/** Sends an alert to every receiver, and shows which of them got it. */
export function TestAlert({ path }: { path: string }) {
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
