import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadConfirmSignInDialog, loadSignInDialog } from './pages.ts';
import { signInQuestion } from './recent-sign-in.ts';
import { leaveExpired } from './session.ts';

/** Loads the dialog that asks for a sign-in above the page. Without it, the sign-in page asks. */
export const SignInAgain = () => <LoadedDialog load={loadSignInDialog} onFailure={leaveExpired} />;

/** Loads the dialog that asks for a new sign-in before a change. Without it, the change is refused. */
export const ConfirmSignIn = () => (
  <LoadedDialog load={loadConfirmSignInDialog} onFailure={() => signInQuestion.peek()?.(false)} />
);

type LoadedDialogProps = { load: () => Promise<ComponentType>; onFailure: () => void };

function LoadedDialog({ load, onFailure }: LoadedDialogProps) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    load().then((dialog) => setLoaded(() => dialog), onFailure);
  }, []);
  return Loaded ? <Loaded /> : null;
}
