import './styles/main.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { addBaseToLinks } from './app/base-path.ts';
import { followLinks } from './app/follow-links.ts';
import { keepFocus } from './app/keep-focus.ts';
import { followOtherTabs, loadSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';
import { noticeTyping } from './app/typed.ts';

addBaseToLinks();
applyTheme();
followLinks();
keepFocus();
noticeTyping();
followOtherTabs();
void loadSession();
render(<App />, document.getElementById('app')!);
