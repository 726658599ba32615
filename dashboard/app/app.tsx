import { ErrorState } from '../components/error-state.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { Toasts } from '../components/toasts.tsx';
import { path } from './address.ts';
import { BareFrame } from './bare-frame.tsx';
import { findPage } from './find-page.ts';
import { Frame } from './frame.tsx';
import { KeyboardTools } from './keyboard.tsx';
import { nextAddress } from './next-address.ts';
import { NoOrganization } from './no-organization.tsx';
import { NotFound } from './not-found.tsx';
import type { FoundPage } from './page.ts';
import { PageView } from './page-view.tsx';
import { signInQuestion } from './recent-sign-in.ts';
import {
  isExpired,
  loadSession,
  operatorRole,
  organization,
  person,
  session,
  sessionProblem,
} from './session.ts';
import { ConfirmSignIn, SignInAgain } from './sign-in-again.tsx';
import { signInAddress, useRedirect } from './use-redirect.ts';

/** The whole dashboard: the frame, and in it the page of the address. */
export function App() {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Shell />
      {isExpired.value && <SignInAgain />}
      {signInQuestion.value && <ConfirmSignIn />}
      <KeyboardTools />
      <Toasts />
    </>
  );
}

function Shell() {
  const match = findPage(path.value);
  useRedirect(redirectOf(match));
  if (!session.value)
    return <BareFrame>{sessionProblem.value ? <Unreachable /> : <Skeleton lines={6} />}</BareFrame>;
  const isBare = match?.page.frame === 'bare' || !person.value;
  const content = <Content match={match} />;
  return isBare ? <BareFrame>{content}</BareFrame> : <Frame>{content}</Frame>;
}

const Unreachable = () => <ErrorState problem={sessionProblem.value!} onRetry={() => loadSession()} />;

function Content({ match }: { match: FoundPage | undefined }) {
  if (redirectOf(match)) return <Skeleton lines={6} />;
  if (!match || (match.page.access === 'operator' && person.value && !operatorRole.value))
    return <NotFound />;
  if (match.page.access === 'member' && !organization.value) return <NoOrganization />;
  return <PageView key={keyOf(match)} {...match} />;
}

/**
 * Returns a key that changes with the person, and with the organization on pages that show it. A page starts
 * again with another key. Pages that sign somebody in stay while the organization becomes known.
 */
function keyOf({ page: { path, frame, access } }: FoundPage): string {
  if (frame === 'bare') return path;
  const shownOrganization = access === 'person' ? undefined : organization.value?.id;
  return `${path} ${person.value?.id} ${shownOrganization}`;
}

/** Returns the address to go to instead of a page, if the visitor may not see the page. */
function redirectOf(match: FoundPage | undefined): string | undefined {
  if (!match || !session.value) return undefined;
  const { access, path } = match.page;
  if (access === 'signed-out') return person.value ? nextAddress() : undefined;
  if (access === 'anyone') return undefined;
  if (!person.value) return signInAddress();
  return person.value.must_set_two_factor && path !== '/account' ? '/account' : undefined;
}
