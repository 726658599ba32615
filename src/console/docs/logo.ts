import { type Html, html } from './html.ts';

/** The logo's paths: a barrier with its arm raised. */
const POST_AND_ARM = 'M5 21V5.5M5 9.5l15-4.2M2.5 21h5';
const PIVOT = { cx: 5, cy: 9.5, r: 2.6 };
const ICON_COLOUR = '#0a7d68';

const mark = (colour: string): Html => html`<path d="${POST_AND_ARM}" fill="none" stroke="${colour}"
 stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
<circle cx="${PIVOT.cx}" cy="${PIVOT.cy}" r="${PIVOT.r}" fill="${colour}"/>`;

/** Returns the logo in the colour of the text around it. */
export const logo = (): Html =>
  html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${mark('currentColor')}</svg>`;

/** Returns the logo as an icon of a page, escaped for a data URL. */
export const icon = (): string =>
  encodeURIComponent(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${mark(ICON_COLOUR)}</svg>`.text,
  );
