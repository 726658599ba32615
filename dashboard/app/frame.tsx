import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { address } from './address.ts';
import { FindButton } from './keyboard.tsx';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { SimulatedStatus } from './simulated-status.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/**
 * The frame of pages for signed-in people: a bar, the navigation at its side or in a drawer, and the page.
 */
export function Frame({ children }: { children: ComponentChildren }) {
  return (
    <div class="frame">
      <header class="bar">
        <Drawer />
        <a class="home" href="/">
          <Logo />
          Tollgate
        </a>
        <OrganizationSwitcher />
        <span class="spring" />
        <FindButton />
        <ThemeMenu />
        <AccountMenu />
      </header>
      <aside class="side">
        <Navigation />
      </aside>
      <main id="main" tabIndex={-1}>
        <SimulatedStatus />
        {children}
      </main>
    </div>
  );
}

/** The navigation of narrow screens. */
function Drawer() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  // A link to the page that is open changes the address too, if only to an equal one.
  useEffect(() => dialog.current?.close(), [address.value]);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" class="icon-button drawer-button" aria-expanded={isOpen} onClick={open}>
        <Icon name="menu" label="Menu" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes a dialog */}
      <dialog
        ref={dialog}
        class="drawer"
        aria-label="Menu"
        onClose={() => setOpen(false)}
        onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      >
        {isOpen && (
          <>
            <button type="button" class="icon-button" onClick={() => dialog.current?.close()}>
              <Icon name="close" label="Close" />
            </button>
            <Navigation />
          </>
        )}
      </dialog>
    </>
  );
}
