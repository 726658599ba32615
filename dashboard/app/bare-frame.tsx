import type { ComponentChildren } from 'preact';
import { LinkButton } from '../components/button.tsx';
import { Logo } from '../components/logo.tsx';
import { path } from './address.ts';
import { person, session } from './session.ts';
import { ThemeMenu } from './theme-menu.tsx';

/** The frame of pages for signed-out visitors. */
export const BareFrame = ({ children }: { children: ComponentChildren }) => (
  <div class="bare-frame">
    <header class="bar">
      <a class="home" href="/">
        <Logo />
        Tollgate
      </a>
      <nav aria-label="Site">
        <a href="/docs">Documentation</a>
        {session.value && !person.value && path.value !== '/sign-in' && (
          <LinkButton href="/sign-in">Sign in</LinkButton>
        )}
        <ThemeMenu />
      </nav>
    </header>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  </div>
);
