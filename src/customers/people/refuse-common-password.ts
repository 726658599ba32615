import { Refusal } from '../../base/errors/refusal.ts';
import { isCommonPassword } from './is-common-password.ts';

/** Refuses a new password that is one of the most used. Passwords that exist stay valid. */
export const refuseCommonPassword = (password: string): Refusal | undefined =>
  isCommonPassword(password)
    ? new Refusal('invalid_request', {
        message: 'This is one of the most used passwords, which are guessed first. Choose a different one.',
        param: 'password',
      })
    : undefined;
