import { html } from '../docs/html.ts';
import { icon } from '../docs/logo.ts';
import { ASSETS, type Site } from './build-site.ts';

/**
 * The policy allows nothing inline, and nothing from elsewhere. It allows images that a person or a model
 * made.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page of the dashboard. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Writes the document of every page. The script shows the page of the address in it. `base` is the path of
 * the server's public address.
 */
export const sitePage = ({ script, parts, style }: Site, base: string): string =>
  html`<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<title>Tollgate</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon()}">
<link rel="stylesheet" href="${base}${ASSETS}${style}">
${parts.map((name) => html`<link rel="modulepreload" href="${base}${ASSETS}${name}">`)}
<script type="module" src="${base}${ASSETS}${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The dashboard needs JavaScript. The <a href="${base}/docs">documentation</a> works without it.</p></noscript>
</body>
</html>
`.text;

/** Replaces every page if the dashboard cannot be built. */
export const brokenPage = (base: string): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tollgate</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body>
<h1>The dashboard is not available</h1>
<p>The server could not prepare its pages. The log of the server has the cause. The API is not affected.</p>
<p><a href="${base}/docs">Documentation</a></p>
</body>
</html>
`.text;
