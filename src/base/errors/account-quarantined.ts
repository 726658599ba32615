import { Unavailable } from './unavailable.ts';

/** An account is not served, since its ledger has to be looked after first. */
export class AccountQuarantined extends Unavailable {
  override readonly name = 'AccountQuarantined';

  constructor(accountId: string) {
    super(
      `The account ${accountId} is in quarantine`,
      `\`tollgate ledger inspect ${accountId}\` shows the reason`,
    );
  }
}
