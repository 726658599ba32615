import { Refusal } from '../../base/errors/refusal.ts';
import { auditOf } from './audit-of.ts';
import type { AuthLibrary } from './auth-library.ts';
import { linkTo } from './link-post.ts';
import type { AuthOrigin } from './origin-of.ts';
import type { ByOperator, PeopleDirectory } from './people-directory.ts';
import type { PeopleStore } from './people-store.ts';
import { withoutLinkRequest } from './person-writes.ts';
import type { ResetLinks } from './reset-links.ts';
import type { SignUps } from './sign-ups.ts';

export type HandedLinksParts = {
  store: PeopleStore;
  library: AuthLibrary;
  directory: PeopleDirectory;
  signUps: SignUps;
  resets: ResetLinks;
  now(): number;
};

/** `base` is the address of the pages to which the link leads. */
export type HandedLinkOrder = ByOperator & { isOwner: boolean; origin: AuthOrigin; base: string };

/** Links that operators hand over themselves, for people whom no mail reaches. */
export class HandedLinks {
  readonly #parts: HandedLinksParts;

  constructor(parts: HandedLinksParts) {
    this.#parts = parts;
  }

  /**
   * Makes a link, which is shown once and kept nowhere. A link to an operator could take that person's place,
   * so only owners make one.
   */
  async make(
    id: string,
    kind: 'verification' | 'reset',
    { actor, isOwner, origin, base }: HandedLinkOrder,
  ): Promise<string | Refusal> {
    const { store, library, directory, signUps, resets, now } = this.#parts;
    const person = await directory.find(id);
    if (person instanceof Refusal) return person;
    if (person.operatorRole !== null && !isOwner) return onlyOwners();
    if (kind === 'verification' && person.email_verified) return verifiedAlready();
    const { makeVerification } = await import('./make-verification.ts');
    const token =
      kind === 'reset'
        ? await resets.create(id)
        : await makeVerification(await library.at(origin), person, await signUps.onlyOne(id));
    const { email } = person;
    await store.changePeople({
      writes: [withoutLinkRequest(kind, email)],
      audit: [auditOf({ at: now(), actor, action: 'link-make', target: id, after: { email, kind } })],
    });
    return linkTo(base, { kind, token });
  }
}

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', { message: 'Only an owner can make a link for an operator.' });

const verifiedAlready = (): Refusal =>
  new Refusal('conflict', { message: 'The address of this person is verified already.' });
