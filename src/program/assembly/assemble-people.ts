import { MailCourier } from '../../customers/mail/mail-courier.ts';
import { sendOverSmtp } from '../../customers/mail/send-over-smtp.ts';
import { createPeopleServices, type PeopleServices } from '../../customers/people/create-people-services.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Foundation } from './create-foundation.ts';

type PeopleWork = { accounts: Accounts; authenticator: Pick<Authenticator, 'forgetAccount'> };

export type AssembledPeople = { people: PeopleServices; mail: MailCourier };

/**
 * Connects people and the mail to them. The sign-in library and the mail client are loaded when they are
 * first needed.
 */
export function assemblePeople(
  { storage, holder, logger }: Pick<Foundation, 'storage' | 'holder' | 'logger'>,
  { accounts, authenticator }: PeopleWork,
): AssembledPeople {
  const config = () => holder.current.config;
  const mail = new MailCourier({
    settings: () => config().mail,
    send: sendOverSmtp,
    now: Date.now,
    report: (level, event, fields) => logger[level](event, fields),
  });
  const people = createPeopleServices({
    store: storage.people,
    accounts,
    courier: mail,
    config,
    forgetKeys: (accountId) => authenticator.forgetAccount(accountId),
    now: Date.now,
    onNotRecorded: (error) => logger.error('sign-in-not-audited', { error }),
  });
  return { people, mail };
}
