import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { accountPath, mayChange, OPERATOR } from './operator-api.ts';
import type { AccountRow } from './rows.ts';

/** Ends the stop of an account's hosted tools. */
export function ClearShortfall({ account }: { account: AccountRow }) {
  const [isAsked, setAsked] = useState(false);
  if (!mayChange.value) return null;
  const clear = async () => {
    await call('POST', `${accountPath(account.id)}/shortfall/clear`);
    refreshAnswers(`${OPERATOR}/accounts`);
    toast('Hosted tools work again.');
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>Clear the stop</Button>
      {isAsked && (
        <ConfirmDialog
          title="Clear the stop of hosted tools?"
          confirmLabel="Clear the stop"
          isDangerous={false}
          onClose={() => setAsked(false)}
          onConfirm={clear}
        >
          <p>Hosted tools work again. Earlier shortfalls no longer count.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
