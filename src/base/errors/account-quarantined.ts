import { Unavailable } from './unavailable.ts';

/** The account is not served until an operator has repaired its ledger. */
export class AccountQuarantined extends Unavailable {
  override readonly name = 'AccountQuarantined';

  constructor(accountId: string) {
    super(
      `The account ${accountId} is in quarantine`,
      `\`tollgate ledger inspect ${accountId}\` shows the reason`,
    );
  }
}
