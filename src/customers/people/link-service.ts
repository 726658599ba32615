import { Refusal } from '../../base/errors/refusal.ts';
import { type AuthCaller, networkOfCaller } from './auth-caller.ts';
import type { AuthLibrary } from './auth-library.ts';
import { linkGone } from './auth-refusals.ts';
import { callAuth } from './call-auth.ts';
import type { ChangeNotices } from './change-notices.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Joining } from './joining.ts';
import type { PeopleStore } from './people-store.ts';
import { matching } from './people-tests.ts';
import { findPerson, findPersonByEmail } from './person.ts';
import type { PersonalLink } from './personal-link.ts';
import { refuseCommonPassword } from './refuse-common-password.ts';
import type { ResetLinks } from './reset-links.ts';
import { newSignUpId, type SignUps, withoutSignUps } from './sign-ups.ts';
import { withoutLinks } from './without-links.ts';

export type LinkServiceParts = {
  store: PeopleStore;
  library: AuthLibrary;
  signUps: SignUps;
  resets: ResetLinks;
  emailChanges: EmailChanges;
  joining: Joining;
  notices: ChangeNotices;
  deliver(link: PersonalLink): Promise<void>;
};

type NewPerson = { email: string; name: string; password: string };

/** The sign-up of the browser that makes a request, from its cookie. */
type BrowserSignUp = { signUp: string | undefined };

/** The outcome of a verification. With the status `verified`, the person signs in next. */
export type VerifiedAddress = {
  status: 'signed_in' | 'verified';
  /** False if the person must choose a password by a link. */
  hasPassword: boolean;
  email: string | undefined;
  cookies: string[];
};

/** Answers that must not reveal whether an address is known take this long. */
const STEADY_MS = 600;

/** Sign-ups, and what people do with the links to their addresses. */
export class LinkService {
  readonly #parts: LinkServiceParts;

  constructor(parts: LinkServiceParts) {
    this.#parts = parts;
  }

  /**
   * Keeps a sign-up, and sends a link. Returns the id of the sign-up for the browser's cookie. The answer is
   * the same for a verified address, whose person is notified by mail.
   */
  signUp(person: NewPerson, caller: AuthCaller): Promise<string | Refusal> {
    return steadily(async () => {
      const common = refuseCommonPassword(person.password);
      if (common) return common;
      const { signUps, library, deliver } = this.#parts;
      const email = person.email.toLowerCase();
      const auth = await library.at(caller.origin);
      // The hash comes first also for a known address, since its time would reveal it.
      const hashed = await (await auth.$context).password.hash(person.password);
      const added = await signUps.add({ ...person, network: networkOfCaller(caller) }, hashed);
      if (!added) {
        await deliver({ kind: 'existing', email, token: '' });
        return newSignUpId();
      }
      const { makeVerification } = await import('./make-verification.ts');
      const token = await makeVerification(auth, added.person, added.signUp);
      await deliver({ kind: 'verification', email, token });
      return added.signUp;
    });
  }

  /** Asks for a link. The answer is the same for an unknown address. */
  askForLink(
    kind: 'reset' | 'verification',
    { email, signUp }: BrowserSignUp & { email: string },
    caller: AuthCaller,
  ): Promise<void> {
    return steadily(async () => {
      const { store, library, resets, deliver } = this.#parts;
      const person = await findPersonByEmail(store, email);
      if (!person || (kind === 'verification' && person.email_verified)) return;
      const { makeVerification } = await import('./make-verification.ts');
      const token =
        kind === 'reset'
          ? await resets.create(person.id)
          : await makeVerification(await library.at(caller.origin), person, signUp);
      await deliver({ kind, email: person.email, token });
    });
  }

  /** Verifies an address, and signs the person in unless the link was used before. */
  async verify(
    { token, signUp }: BrowserSignUp & { token: string },
    caller: AuthCaller,
  ): Promise<VerifiedAddress | Refusal> {
    const { store, library, signUps, emailChanges, notices } = this.#parts;
    const { readVerification } = await import('./make-verification.ts');
    const link = await readVerification(await library.at(caller.origin), token);
    if (link?.newEmail !== undefined && !(await emailChanges.has(link.personId ?? '', token)))
      return linkGone();
    if (link?.personId !== undefined && link.newEmail === undefined)
      await signUps.settle(link.personId, {
        ofBrowser: signUp,
        ofLink: link.signUp,
        network: networkOfCaller(caller),
      });
    const answer = await callAuth(library, caller, (api, options) =>
      api.verifyEmail({ ...options, query: { token } }),
    );
    if (answer instanceof Refusal) return answer;
    const person = link?.personId === undefined ? undefined : await findPerson(store, link.personId);
    if (person && link?.newEmail !== undefined)
      notices.report([link.email, person.email], 'address', { from: link.email, to: person.email });
    if (person) {
      const isSignUp = link?.newEmail === undefined;
      await store.changePeople({ writes: isSignUp ? [withoutSignUps(person.id)] : withoutLinks(person.id) });
    }
    const credential = matching({ person_id: person?.id ?? '', provider: 'credential' });
    return {
      status: answer.cookies.length > 0 ? 'signed_in' : 'verified',
      cookies: answer.cookies,
      hasPassword: (await store.countPeople('sign_in', credential)) > 0,
      email: person?.email,
    };
  }

  /** Chooses a new password with a link. All sessions of the person end. */
  async choosePassword(token: string, password: string, caller: AuthCaller): Promise<Refusal | undefined> {
    const { library, resets, joining, notices } = this.#parts;
    const common = refuseCommonPassword(password);
    if (common) return common;
    const reset = await resets.find(token);
    if (!reset) return linkGone();
    const { person } = reset;
    const hash = await library.hashPassword(password, caller.origin);
    if (!(await resets.use(reset, hash))) return linkGone();
    if (person.email_verified) notices.report([person.email], 'password');
    else await joining.onVerified(person);
    return undefined;
  }
}

/**
 * Runs work in a fixed time. A slower answer would reveal that an address is known, since a link is made for
 * it.
 */
async function steadily<Result>(work: () => Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([work(), Bun.sleep(STEADY_MS)]);
  return result;
}
