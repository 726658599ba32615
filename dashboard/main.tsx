import './styles/main.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { addBaseToLinks } from './app/base-path.ts';
import { followLinks } from './app/follow-links.ts';
import { followOtherTabs, loadSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';

addBaseToLinks();
applyTheme();
followLinks();
followOtherTabs();
void loadSession();
render(<App />, document.getElementById('app')!);
