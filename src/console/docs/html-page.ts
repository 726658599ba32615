import { readFileSync } from 'node:fs';
import { Html, html } from './html.ts';
import { icon } from './logo.ts';
import type { ServedPage } from './served-page.ts';

export type HtmlPageParts = {
  title: string;
  description: string;
  header: Html;
  body: Html;
  /** False for a page outside of a server, which has nothing to send requests to. */
  sendsRequests?: boolean;
};

/** The files of the script. They are joined into one script and share their names. */
const scripts = ['copy-buttons.js', 'docs-script.js'] as const;
const TRY_SCRIPT = 'try-script.js';

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const hashOf = (text: string): string => `'sha256-${Bun.CryptoHasher.hash('sha256', text, 'base64')}'`;

/** The content security policy: no external resources, and only the inline script and style of the page. */
const policy = (style: string, script: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Builds a self-contained page, with the headers that forbid all other resources. */
export function htmlPage({
  title,
  description,
  header,
  body,
  sendsRequests = true,
}: HtmlPageParts): ServedPage {
  const style = asset('./docs.css');
  const script = [...scripts, ...(sendsRequests ? [TRY_SCRIPT] : [])]
    .map((name) => asset(`./${name}`))
    .join('');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon()}">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${header}
${body}
<script>${new Html(script)}</script>
</body>
</html>
`.text;
  return {
    text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(style, script),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    },
  };
}
