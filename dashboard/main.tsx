import './styles/main.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { followLinks } from './app/follow-links.ts';
import { loadSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';

applyTheme();
followLinks();
void loadSession();
render(<App />, document.getElementById('app')!);
