import { Refusal } from '../../base/errors/refusal.ts';
import { textOf, textsOf } from '../../base/json/read-json.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary } from './auth-library.ts';
import { type AuthAnswer, type AuthCall, callAuth } from './call-auth.ts';
import { type OwnChange, type OwnChangeParts, recordOwnChange } from './record-own-change.ts';
import type { Visitor } from './visitor.ts';

export type TwoFactorServiceParts = OwnChangeParts & { library: AuthLibrary };

/**
 * The secret for an authenticator app, and the codes for the case that the app is lost. Both are shown once.
 */
export type TwoFactorDraft = { uri: string; recoveryCodes: string[] };

/** Makes people's changes of their second factor. Every change is in the audit log. */
export class TwoFactorService {
  readonly #parts: TwoFactorServiceParts;

  constructor(parts: TwoFactorServiceParts) {
    this.#parts = parts;
  }

  /** Makes a secret and recovery codes, which have no effect before they are confirmed. */
  async begin({ password }: { password: string }, caller: AuthCaller): Promise<TwoFactorDraft | Refusal> {
    const answer = await callAuth(this.#parts.library, caller, (api, options) =>
      api.enableTwoFactor({ ...options, body: { password, method: 'totp' } }),
    );
    if (answer instanceof Refusal) return answer;
    const { totpURI, backupCodes } = answer.body;
    return { uri: textOf(totpURI) ?? '', recoveryCodes: textsOf(backupCodes) ?? [] };
  }

  /** Two-factor sign-in is in force from the first right code on. */
  confirm(visitor: Visitor, code: string, caller: AuthCaller): Promise<AuthAnswer | Refusal> {
    const change: OwnChange = { action: 'two-factor-on', notice: 'two-factor-on' };
    return this.#change(visitor, change, caller, (api, options) =>
      api.verifyTOTP({ ...options, body: { code } }),
    );
  }

  end(visitor: Visitor, password: string, caller: AuthCaller): Promise<AuthAnswer | Refusal> {
    const change: OwnChange = { action: 'two-factor-off', notice: 'two-factor-off' };
    return this.#change(visitor, change, caller, (api, options) =>
      api.disableTwoFactor({ ...options, body: { password } }),
    );
  }

  /** Replaces the recovery codes, and returns the new ones. */
  async renewRecoveryCodes(
    visitor: Visitor,
    password: string,
    caller: AuthCaller,
  ): Promise<string[] | Refusal> {
    const change: OwnChange = { action: 'recovery-codes-new', notice: 'recovery-codes' };
    const answer = await this.#change(visitor, change, caller, (api, options) =>
      api.generateBackupCodes({ ...options, body: { password } }),
    );
    return answer instanceof Refusal ? answer : (textsOf(answer.body.backupCodes) ?? []);
  }

  async #change(
    visitor: Visitor,
    change: OwnChange,
    caller: AuthCaller,
    call: AuthCall,
  ): Promise<AuthAnswer | Refusal> {
    const answer = await callAuth(this.#parts.library, caller, call);
    if (!(answer instanceof Refusal)) await recordOwnChange(this.#parts, visitor, change);
    return answer;
  }
}
