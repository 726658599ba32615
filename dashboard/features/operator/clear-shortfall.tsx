import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ACCOUNTS, accountPath } from './operator-api.ts';
import type { AccountRow } from './rows.ts';

/** Ends the stop of an account's hosted tools. */
export const ClearShortfall = ({ account }: { account: AccountRow }) =>
  mayOperate.value && (
    <ConfirmButton
      label="Clear the stop"
      title="Clear the stop of hosted tools?"
      isDangerous={false}
      refreshes={ACCOUNTS}
      done="Hosted tools work again."
      onConfirm={() => call('POST', `${accountPath(account.id)}/shortfall/clear`)}
    >
      <p>Hosted tools work again. Earlier shortfalls no longer count.</p>
    </ConfirmButton>
  );
