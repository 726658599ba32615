import { ClientTokens } from '../../customers/device-sign-in/client-tokens.ts';
import { CodeAttempts } from '../../customers/device-sign-in/code-attempts.ts';
import { DeviceSignIns } from '../../customers/device-sign-in/device-sign-ins.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Storage } from './storage.ts';

type SignInGround = {
  storage: Pick<Storage, 'store' | 'people' | 'clock'>;
  accounts: Accounts;
  authenticator: Pick<Authenticator, 'forgetAccount'>;
};

/** Connects the sign-in of command-line clients. */
export function assembleClientSignIn({ storage, accounts, authenticator }: SignInGround) {
  const { people: store, store: keys, clock } = storage;
  const forgetAccount = (id: string) => authenticator.forgetAccount(id);
  const tokens = new ClientTokens({ store, accounts, keys, clock, forgetAccount });
  return {
    tokens,
    signIns: new DeviceSignIns({ store, accounts, clock, tokens }),
    codes: new CodeAttempts({ store, clock }),
  };
}

export type ClientSignIn = ReturnType<typeof assembleClientSignIn>;
