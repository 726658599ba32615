const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'chrome',
];

/** The program of the browser. Undefined if there is none: the tests that need it are then skipped. */
export const chromium =
  process.env.CHROMIUM_PATH ?? names.map((name) => Bun.which(name)).find((path) => path !== null);
