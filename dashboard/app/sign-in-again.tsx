import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadSignInDialog } from './pages.ts';
import { leaveExpired } from './session.ts';

/** Loads the dialog that asks for a sign-in above the page. Without it, the sign-in page asks. */
export function SignInAgain() {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    loadSignInDialog().then((dialog) => setLoaded(() => dialog), leaveExpired);
  }, []);
  return Loaded ? <Loaded /> : null;
}
